import { useQuery } from "@tanstack/react-query";
import { ArrowRight, TriangleAlert } from "lucide-react";
import { ReadState } from "@/components/console/read-state.tsx";
import { endInWords } from "@/components/console/time-words.ts";
import { retryEvery } from "@/components/console/use-live.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { useNow } from "@/components/ui/now.ts";
import { Sheet } from "@/components/ui/sheet.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { type EntryHistory, entryHistory } from "@/lib/queries/entries.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { sayEntryHits } from "../hits-words.ts";
import { actionWords, sayListedBefore } from "../list-words.ts";
import { EntryTags } from "../tags/entry-tags.tsx";

interface HistorySheetProps {
  readonly list: ListName;
  readonly address: string;
  readonly onClose: () => void;
}

/** Changes of an entry and their authors, from the audit log. */
export function HistorySheet({ list, address, onClose }: HistorySheetProps) {
  const read = useQuery({ ...entryHistory({ list, address }), refetchInterval: retryEvery });
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={
        <span className="font-mono">
          <Untrusted text={address} max={60} />
        </span>
      }
      description={`Changes on the ${list}, from the audit log`}
    >
      <ReadState read={read} name="the history" skeleton={<HistorySkeleton />}>
        {(history) => <Records history={history} />}
      </ReadState>
    </Sheet>
  );
}

function HistorySkeleton() {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton className="h-4 w-40" />
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
    </div>
  );
}

function Records({ history: data }: { history: EntryHistory }) {
  const before = sayListedBefore(data);
  return (
    <div className="flex flex-col gap-3">
      {before !== undefined && <p className="text-body font-semibold">{before}</p>}
      <p className="text-cell text-text-2">{sayEntryHits(data.hits)}</p>
      {!data.isWhole && <p className="text-cell text-text-3">Only a part of the log was searched.</p>}
      {data.records.length === 0 ? (
        <EmptyState
          icon={<TriangleAlert />}
          title="No record in the searched part of the log"
          hint="Another program wrote the entry, or it is older than the log."
        />
      ) : (
        <ol className="flex flex-col">
          {data.records.map((record) => (
            <Record key={record.n} record={record} />
          ))}
        </ol>
      )}
    </div>
  );
}

function Record({ record }: { record: EntryHistory["records"][number] }) {
  const { actor, action, at, via, reason, before, after } = record;
  return (
    <li className="flex flex-col gap-1 border-border py-2.5 text-cell text-text-2 not-last:border-b">
      <p className="flex flex-wrap items-baseline gap-x-1.5 text-body text-text">
        <span className="font-semibold">{actionWords(action)}</span>
        <span>
          by <Untrusted text={actor} max={80} />
        </span>
        <span className="ml-auto text-cell text-text-3">
          <Timestamp at={at} />
        </span>
      </p>
      <Change before={before} after={after} />
      {(reason || after?.reason) && <Untrusted text={reason || (after?.reason ?? "")} max={300} />}
      <EntryTags tags={after?.tags} />
      <p className="text-text-3">
        via <Untrusted text={via} max={40} /> · record {record.n}
      </p>
    </li>
  );
}

type Standing = EntryHistory["records"][number]["before"];

function Change({ before, after }: { before: Standing; after: Standing }) {
  const now = useNow();
  const said = (standing: Standing) => (standing ? endInWords(standing.expiresAt, now) : "not listed");
  return (
    <p className="flex flex-wrap items-center gap-1.5">
      {said(before)}
      <ArrowRight className="size-3.5 text-text-3" role="img" aria-label="became" />
      {said(after)}
    </p>
  );
}
