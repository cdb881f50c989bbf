import { Crosshair, Wrench } from "lucide-react";
import { Address } from "@/components/console/address.tsx";
import { AddressLink } from "@/components/console/address-link.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Td } from "@/components/ui/data-table.tsx";
import { Meter } from "@/components/ui/meter.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { LimitedClient } from "@/lib/queries/edge.ts";
import { sayWhat } from "./edge-words.ts";
import type { LettingIn } from "./let-in.tsx";

export const columnCount = 9;
const longestPath = 160;
const longestAgent = 120;

interface LimitedCellsProps {
  /** Undefined while loading. */
  client: LimitedClient | undefined;
  mayLetIn: boolean;
  isLetIn: boolean;
  /** It is not limited any more. */
  isGone: boolean;
  isChosen: boolean;
  lettingIn: LettingIn;
  onPick: () => void;
}

export function LimitedCells(props: LimitedCellsProps) {
  const { client, mayLetIn, isLetIn, isGone, isChosen, lettingIn, onPick } = props;
  if (!client)
    return (
      <Td colSpan={columnCount}>
        <Skeleton className="h-3.5 w-2/3" />
      </Td>
    );
  const { ip, since, until, count, limit } = client;
  const name = `${ip}: ${sayWhat(client).slice(0, longestPath)}`;
  return (
    <>
      {mayLetIn && (
        <Td className="pr-1 pl-2.5 max-lg:pl-1">
          <Checkbox checked={isChosen} onChange={onPick} label={`Select ${name}`} isLabelHidden />
        </Td>
      )}
      <Td isMono className="whitespace-nowrap max-lg:hidden">
        <span className="inline-flex items-center gap-2">
          <Address address={ip} hasNetwork={false} />
        </span>
      </Td>
      <MainCell of={client} />
      <Td className="max-lg:hidden">
        <Kind of={client} />
      </Td>
      <Td className="max-lg:hidden">
        <Meter
          hasText
          label={`Requests of ${ip} in its worst minute`}
          {...{ value: count, limit }}
          className="w-40 max-xl:w-34"
        />
      </Td>
      <Td className="whitespace-nowrap max-lg:hidden">
        <Places of={client} />
      </Td>
      <Moment at={since} className="text-text-2 max-xl:hidden" />
      {isGone && !mayLetIn ? (
        <Td className="max-lg:hidden">gone</Td>
      ) : (
        <Moment at={until} className="max-lg:hidden" />
      )}
      {mayLetIn && <LetInCell {...{ client, name, isLetIn, isGone, lettingIn }} />}
    </>
  );
}

/** In a narrow window, all of it. */
function MainCell({ of }: { of: LimitedClient }) {
  const { ip, count, limit, until } = of;
  return (
    <Td className="w-full max-w-0">
      <span className="flex items-center justify-between gap-2 font-mono lg:hidden">
        <AddressLink address={ip} />
        <Kind of={of} />
      </span>
      <What of={of} />
      <span className="block truncate text-text-3 lg:hidden">
        <span className="font-semibold text-blocked">{countText(count)}</span>
        {` of ${countText(limit)} per min, until `}
        <Timestamp at={until} />
      </span>
    </Td>
  );
}

function Moment({ at, className }: { at: number; className: string }) {
  return (
    <Td className={classes("whitespace-nowrap", className)}>
      <Timestamp at={at} />
    </Td>
  );
}

interface LetInCellProps extends Pick<LimitedCellsProps, "isLetIn" | "isGone" | "lettingIn"> {
  client: LimitedClient;
  name: string;
}

function LetInCell({ client, name, isLetIn, isGone, lettingIn }: LetInCellProps) {
  return (
    <Td className="pl-1 text-right whitespace-nowrap">
      {isLetIn || isGone ? (
        <span className="px-2">{isLetIn ? "let in" : "gone"}</span>
      ) : (
        <Button
          size="sm"
          disabled={lettingIn.isBusy}
          aria-label={`Let in ${name}`}
          onClick={() => void lettingIn.one(client)}
        >
          Let in
        </Button>
      )}
    </Td>
  );
}

/** By the kinds of the edges; their names in full on asking. */
function Places({ of: { at } }: { of: LimitedClient }) {
  if (at.length === 0) return <span className="text-text-3">no edge</span>;
  const kinds = [...new Set(at.map((name) => name.split(" ", 1)[0]))];
  return <span title={at.join(", ")}>{kinds.join(", ")}</span>;
}

/** Where it came too often, and what it calls itself. */
function What({ of }: { of: LimitedClient }) {
  const { host, path, method, userAgent } = of;
  return (
    <>
      <span className="block truncate font-mono">
        {host === undefined ? (
          <span className="font-sans">all requests</span>
        ) : (
          <>
            <span className="text-text-3">
              <Untrusted text={method ?? ""} max={16} />{" "}
            </span>
            <Untrusted text={`${host}${path}`} max={longestPath} />
          </>
        )}
      </span>
      <span className="block truncate text-meta text-text-3">
        {userAgent === "" ? "no user agent" : <Untrusted text={userAgent} max={longestAgent} />}
      </span>
    </>
  );
}

function Kind({ of: { kind } }: { of: LimitedClient }) {
  const isTool = kind === "broad";
  return (
    <Badge tone="plain" icon={isTool ? <Wrench /> : <Crosshair />}>
      {isTool ? "tool" : "standard"}
    </Badge>
  );
}
