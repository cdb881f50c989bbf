import { useQuery } from "@tanstack/react-query";
import { CircleMinus } from "lucide-react";
import { AddressLink } from "@/components/console/address-link.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { retryEvery } from "@/components/console/use-live.tsx";
import { sayEntryHits } from "@/components/lists/hits-words.ts";
import { sayListedBefore } from "@/components/lists/list-words.ts";
import { EntryTags } from "@/components/lists/tags/entry-tags.tsx";
import { Card } from "@/components/ui/card.tsx";
import { useNow } from "@/components/ui/now.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { VerdictIcon } from "@/components/ui/verdicts.tsx";
import { clientListings, type Listings } from "@/lib/queries/client.ts";
import { sayListing } from "./client-words.ts";

const mostShown = 12;

/** When the address or a range around it was on a list, with authors and reasons. */
export function HistoryCard({ client }: { client: string }) {
  const read = useQuery({ ...clientListings(client), refetchInterval: retryEvery });
  const { data } = read;
  return (
    <Card title="History" hint={data && sayListedBefore(data)}>
      <ReadState read={read} name="the history" skeleton={<Skeleton className="h-10 w-full" />} isCompact>
        {(listings) => (
          <>
            <Hits entries={listings.entries} />
            <Records listings={listings} client={client} />
          </>
        )}
      </ReadState>
    </Card>
  );
}

/** Requests that each present entry decided. */
function Hits({ entries }: Pick<Listings, "entries">) {
  if (!entries || entries.length === 0) return null;
  return (
    <ul aria-label="Hits of the entries" className="mb-2.5 flex flex-col gap-1 text-cell text-text-2">
      {entries.map(({ list, address, hits }) => (
        <li key={`${list} ${address}`}>
          <span className="font-mono">{`${list}:${address}`}</span> {sayEntryHits(hits)}
        </li>
      ))}
    </ul>
  );
}

function Records({ listings: { records, isWhole }, client }: { listings: Listings; client: string }) {
  return (
    <>
      {records.length === 0 ? (
        <p className="text-cell text-text-3">
          {isWhole
            ? "According to the audit log, neither this address nor a range around it was ever on a list."
            : "Not on a list in the searched part of the audit log."}
        </p>
      ) : (
        <ul aria-label="Past listings" className="flex flex-col gap-2.5">
          {records.slice(0, mostShown).map((record) => (
            <Record key={`${record.n} ${record.list} ${record.address}`} record={record} client={client} />
          ))}
        </ul>
      )}
      {!isWhole && <p className="mt-2 text-cell text-text-3">Only a part of the log was searched.</p>}
    </>
  );
}

function Record({ record, client }: { record: Listings["records"][number]; client: string }) {
  const { at, actor, list, address, reason, after } = record;
  const now = useNow();
  const why = reason || after?.reason;
  return (
    <li className="flex gap-2 text-cell">
      {after ? (
        <VerdictIcon verdict={list === "safelist" ? "safelisted" : "blocked"} />
      ) : (
        <CircleMinus className="text-text-3" />
      )}
      <span className="min-w-0 flex-1">
        <span className="font-medium">{sayListing(record, now)}</span>{" "}
        <span className="text-text-2">
          by <Untrusted text={actor} max={60} />
        </span>
        {address !== client && (
          <span className="block font-mono text-text-2">
            <AddressLink address={address} />
          </span>
        )}
        {why && (
          <span className="block text-text-3">
            <Untrusted text={why} max={160} />
          </span>
        )}
        <EntryTags tags={after?.tags} />
      </span>
      <span className="shrink-0 text-text-3">
        <Timestamp at={at} />
      </span>
    </li>
  );
}
