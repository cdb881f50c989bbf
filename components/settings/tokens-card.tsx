"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { useNow } from "@/components/ui/now.ts";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { type TokenRow, tokens } from "@/lib/queries/tokens.ts";

const everyMs = 30_000;
const soonMs = 7 * 86_400_000;

type Open =
  | { readonly dialog: "create" }
  | { readonly dialog: "revoke"; readonly token: TokenRow }
  | undefined;

const CreateTokenDialog = lazyDialog(() =>
  import("./token-dialogs.tsx").then((file) => file.CreateTokenDialog),
);
const RevokeTokenDialog = lazyDialog(() =>
  import("./token-dialogs.tsx").then((file) => file.RevokeTokenDialog),
);

/** Tokens of the API, for admins. */
export function TokensCard() {
  const read = useQuery({ ...tokens(), refetchInterval: everyMs });
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Card
      title="API tokens"
      hint="for programs and the command line"
      actions={
        <Button icon={<Plus />} onClick={() => setOpen({ dialog: "create" })}>
          Create token
        </Button>
      }
      isFlush
    >
      <ReadState
        read={read}
        name="the tokens"
        skeleton={<RowsSkeleton rows={2} columns={[3, 3, 2, 2]} rowHeight={48} hasHead />}
        empty={(found) =>
          found.tokens.length > 0 ? undefined : (
            <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">
              No tokens yet. A program with a token changes lists, customers or the policy over the API.
            </p>
          )
        }
        isInset
        isCompact
      >
        {(found) => (
          <TokensTable tokens={found.tokens} onRevoke={(token) => setOpen({ dialog: "revoke", token })} />
        )}
      </ReadState>
      {open?.dialog === "create" && <CreateTokenDialog onClose={close} />}
      {open?.dialog === "revoke" && <RevokeTokenDialog token={open.token} onClose={close} />}
    </Card>
  );
}

interface TokensTableProps {
  tokens: readonly TokenRow[];
  onRevoke: (token: TokenRow) => void;
}

function TokensTable({ tokens, onRevoke }: TokensTableProps) {
  return (
    <TableFrame label="API tokens" isInset className="border-t border-border">
      <thead>
        <tr>
          <Th>Name</Th>
          <Th>Scopes</Th>
          <Th className="max-md:hidden">Last used</Th>
          <Th className="max-sm:hidden">Expires</Th>
          <Th isLabelHidden>Revoke</Th>
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <Row key={token.name} token={token} onRevoke={() => onRevoke(token)} />
        ))}
      </tbody>
    </TableFrame>
  );
}

function Row({ token, onRevoke }: { token: TokenRow; onRevoke: () => void }) {
  const { name, scopes, app, start, by, lastUse } = token;
  return (
    <Tr>
      <Td className="py-1.5">
        <Untrusted text={name} max={40} className="font-medium" />
        <span className="block text-meta text-text-3">
          <span className="font-mono">{start}…</span> by <Untrusted text={by} max={40} />
        </span>
        <span className="block text-meta sm:hidden">
          <Expiry token={token} />
        </span>
      </Td>
      <Td className="py-1.5">
        <span className="flex flex-wrap gap-1">
          {scopes.map((scope) => (
            <Badge key={scope} tone="plain">
              {scope}
            </Badge>
          ))}
        </span>
        {app !== undefined && (
          <span className="block text-meta text-text-3">
            only app <Untrusted text={app} max={40} />
          </span>
        )}
      </Td>
      <Td className="text-text-2 max-md:hidden">
        {lastUse ? (
          <>
            <Timestamp at={lastUse.at} />
            {lastUse.address !== null && (
              <span className="block font-mono text-meta text-text-3">{lastUse.address}</span>
            )}
          </>
        ) : (
          "never"
        )}
      </Td>
      <Td className="max-sm:hidden">
        <Expiry token={token} />
      </Td>
      <Td className="w-20 text-right">
        <Button size="sm" onClick={onRevoke} aria-label={`Revoke the token ${name}`}>
          Revoke…
        </Button>
      </Td>
    </Tr>
  );
}

function Expiry({ token: { until } }: { token: TokenRow }) {
  const now = useNow();
  const leftMs = until === null ? Number.POSITIVE_INFINITY : Date.parse(until) - now;
  if (until === null) return <span className="text-text-2">never expires</span>;
  if (leftMs <= 0) return <Badge tone="throttled">expired</Badge>;
  return (
    <span className={leftMs < soonMs ? "text-throttled" : "text-text-2"}>
      <Timestamp at={until} />
    </span>
  );
}
