import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/console/address-link.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import { clientReach, type Reach } from "@/lib/queries/client.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { sayReach, sayWhose } from "./client-words.ts";

const everyMs = 5_000;

interface ReachNoteProps {
  readonly list: ListName;
  readonly address: string;
  /** Clients for which the range was chosen. */
  readonly selected: readonly string[] | undefined;
}

/** Clients that an entry for this address or range would have affected in the last hour. */
export function ReachNote({ list, address, selected }: ReachNoteProps) {
  const read = useQuery({ ...clientReach(address), refetchInterval: everyMs });
  return (
    <ReadState
      read={read}
      name="the affected clients"
      skeleton={<Skeleton className="h-10 w-full" />}
      isCompact
    >
      {(reach) => <Affected list={list} reach={reach} selected={selected} />}
    </ReadState>
  );
}

interface AffectedProps extends Pick<ReachNoteProps, "list" | "selected"> {
  readonly reach: Reach;
}

function Affected({ list, reach: data, selected }: AffectedProps) {
  return (
    <div className="flex flex-col gap-2 border-t border-border pt-3 text-cell text-text-2">
      <p className="text-body font-semibold text-text">{sayReach(list, data)}.</p>
      <Whose reach={data} />
      {data.clients > 1 && <Busiest reach={data} selected={selected} />}
      {data.countedWith !== null && (
        <p className="text-text-3">
          IPv6 is counted by network. These numbers are for all of{" "}
          <span className="font-mono">{data.countedWith}</span>.
        </p>
      )}
    </div>
  );
}

const mostNamed = 12;

function Whose({ reach }: { reach: Reach }) {
  const customers = reach.customers ?? [];
  return (
    <p className="flex flex-wrap gap-x-2 gap-y-1">
      <span>
        {sayWhose(reach)}
        {customers.length > 0 ? ":" : "."}
      </span>
      {customers.slice(0, mostNamed).map(({ text, count }) => (
        <span key={text}>
          <TextLink href={`/customers/${encodeURIComponent(text)}`}>
            <Untrusted text={text} max={40} />
          </TextLink>
          {count > 0 && ` (${counted(count, "signed-in request")})`}
        </span>
      ))}
      {customers.length > mostNamed && <span>and {countText(customers.length - mostNamed)} more</span>}
    </p>
  );
}

function Busiest({ reach: { busiest, clients }, selected }: Pick<AffectedProps, "reach" | "selected">) {
  return (
    <ul className="flex flex-col gap-1">
      {busiest.map(({ client, requests, denied }) => (
        <li key={client} className="flex items-baseline gap-3">
          <span className="min-w-0 flex-1">
            <span className="block truncate font-mono text-text">
              <AddressLink address={client} />
            </span>
            {selected && !selected.includes(client) && (
              <span className="block text-throttled">not selected</span>
            )}
          </span>
          <span>{countText(requests)} requests</span>
          <span className="w-20 text-right text-text-3">{countText(denied)} denied</span>
        </li>
      ))}
      {clients > busiest.length && (
        <li className="text-text-3">and {countText(clients - busiest.length)} more clients</li>
      )}
    </ul>
  );
}
