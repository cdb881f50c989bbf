"use client";

import { useQuery } from "@tanstack/react-query";
import { Lock, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { AskButton } from "@/components/console/ask-button.tsx";
import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { type FixedRange, neverBlock, type StoredRange } from "@/lib/queries/never-block.ts";
import { ProtectDialog, UnprotectDialog } from "./protect-dialogs.tsx";

const everyMs = 10_000;

type Open =
  | { readonly dialog: "add" }
  | { readonly dialog: "remove"; readonly range: StoredRange }
  | undefined;

/** Protected ranges: those of the environment, and those that admins keep in Redis. */
export function NeverBlockCard({ mayChange, whoMay }: { mayChange: boolean; whoMay: string }) {
  const read = useQuery({ ...neverBlock(), refetchInterval: everyMs });
  const [open, setOpen] = useState<Open>();
  const [change, setChange] = useState<number | null>(null);
  const close = () => setOpen(undefined);
  return (
    <Card
      title={<span id="never-block">Protected ranges</span>}
      hint="blocklist entries that overlap a protected range are not enforced"
      actions={
        mayChange && (
          <Button icon={<Plus />} onClick={() => setOpen({ dialog: "add" })}>
            Protect a range
          </Button>
        )
      }
      isFlush
    >
      <ReadState
        read={read}
        name="the protected ranges"
        skeleton={<RowsSkeleton rows={3} columns={[3, 4, 2]} rowHeight={40} hasHead />}
        isInset
      >
        {(ranges) => (
          <NeverBlockTable
            ranges={ranges}
            {...(mayChange && { onRemove: (range: StoredRange) => setOpen({ dialog: "remove", range }) })}
          />
        )}
      </ReadState>
      <footer className="flex flex-col gap-1 px-3.5 py-2.5 text-cell text-text-3 empty:hidden">
        <ChangeProgress change={change} />
        {!mayChange && (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p>To protect another range, ask an {whoMay}.</p>
            <AskButton needs="never-block" kind="change" target="protected ranges" />
          </div>
        )}
      </footer>
      {open?.dialog === "add" && <ProtectDialog known={read.data} onClose={close} onChanged={setChange} />}
      {open?.dialog === "remove" && (
        <UnprotectDialog range={open.range.range} onClose={close} onChanged={setChange} />
      )}
    </Card>
  );
}

interface NeverBlockTableProps {
  ranges: { readonly fixed: readonly FixedRange[]; readonly stored: readonly StoredRange[] };
  /** Undefined for roles that may not. */
  onRemove?: (range: StoredRange) => void;
}

function NeverBlockTable({ ranges: { fixed, stored }, onRemove }: NeverBlockTableProps) {
  return (
    <TableFrame label="Protected ranges" className="rounded-none border-x-0 border-b-0">
      <thead>
        <tr>
          <Th>Range</Th>
          <Th>Why</Th>
          <Th className="max-sm:hidden">By</Th>
          <Th className="max-sm:hidden">Since</Th>
          <Th isLabelHidden>Remove</Th>
        </tr>
      </thead>
      <tbody>
        {fixed.map((range) => (
          <FixedRow key={`${range.range} ${range.why}`} range={range} />
        ))}
        {stored.map((range) => (
          <StoredRow key={range.range} range={range} {...(onRemove && { onRemove: () => onRemove(range) })} />
        ))}
      </tbody>
    </TableFrame>
  );
}

const sources: Readonly<Record<string, string>> = {
  loopback: "This machine",
  "a trusted proxy": "A trusted proxy, of SLUICE_TRUSTED_PROXIES",
  "a protected range of SLUICE_NEVER_BLOCK": "SLUICE_NEVER_BLOCK",
};

function FixedRow({ range: { range, why } }: { range: FixedRange }) {
  const by = why === "loopback" ? "built in" : "environment";
  return (
    <Tr>
      <Td isMono className="min-w-34 wrap-anywhere sm:whitespace-nowrap">
        {range}
      </Td>
      <Td className="py-1.5 wrap-anywhere text-text-2">
        {sources[why] ?? why}
        <span className="block text-meta text-text-3 sm:hidden">{by}</span>
      </Td>
      <Td className="text-text-3 max-sm:hidden">{by}</Td>
      <Td className="text-text-3 max-sm:hidden">always</Td>
      <Td className="w-11 text-center text-text-3">
        <Lock className="inline" aria-label="Change it in the environment, then restart" />
      </Td>
    </Tr>
  );
}

function StoredRow({ range, onRemove }: { range: StoredRange; onRemove?: () => void }) {
  const by = <Untrusted text={range.by ?? "somebody"} max={60} />;
  const since = range.at === undefined ? "unknown" : <Timestamp at={range.at} />;
  return (
    <Tr>
      <Td isMono className="min-w-34 wrap-anywhere sm:whitespace-nowrap">
        {range.range}
      </Td>
      <Td className="py-1.5 wrap-anywhere">
        <Untrusted text={range.reason === "" ? "no reason given" : range.reason} max={160} />
        <span className="block text-meta text-text-3 sm:hidden">
          {by}, {since}
        </span>
      </Td>
      <Td className="min-w-36 text-text-2 max-sm:hidden">{by}</Td>
      <Td className="text-text-2 max-sm:hidden">{since}</Td>
      <Td className="w-11 text-center">
        {onRemove && (
          <IconButton
            size="sm"
            icon={<Trash2 />}
            label={`Stop protecting ${range.range}`}
            onClick={onRemove}
          />
        )}
      </Td>
    </Tr>
  );
}
