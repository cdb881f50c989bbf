import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { ArrowRight, Undo2 } from "lucide-react";
import { useState } from "react";
import { Address } from "@/components/console/address.tsx";
import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { TypedInput } from "@/components/console/typed-input.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import { isCanonical } from "@/lib/ip/parse.ts";
import { type AuditDetail, type AuditRow, auditDetail } from "@/lib/queries/audit.ts";
import type { Undoing } from "./days.ts";
import { Sentence, Target } from "./sentence.tsx";

interface DetailsProps {
  readonly id: string;
  readonly row: AuditRow;
  readonly undone: Undoing | undefined;
  readonly onUndo: (row: AuditRow, addresses: readonly string[]) => void;
}

/** Details of a record: state before and after, progress, and whether it can be undone. */
export function Details({ id, row, undone, onUndo }: DetailsProps) {
  const mayUndo = row.noUndo === null && (undone === undefined || undone.isPartly);
  return (
    <section
      id={id}
      aria-label={`Record ${row.n}`}
      className="flex flex-col gap-2.5 border-t border-border bg-sunken px-3.5 py-3 sm:pl-12"
    >
      {row.targets > 0 && (
        <Changes
          key={row.hits?.first[0]}
          row={row}
          onUndo={mayUndo ? (addresses) => onUndo(row, addresses) : undefined}
        />
      )}
      <p className="text-cell text-text-3">
        {`Record ${countText(row.n)}`}
        {row.change !== null && `, change ${countText(row.change)}`}
        {row.bulk && `, ${countText(row.targets)} of ${countText(row.bulk.wanted)} entries`}
        {row.bulk && !row.bulk.isFinished && ". Unfinished: the same request continues it"}
        {undone && `. ${undone.isPartly ? "Partly undone" : "Undone"} by record ${countText(undone.by)}`}
        {row.noUndo !== null && !undone && (
          <>
            {". "}
            <Untrusted text={row.noUndo} max={300} />
          </>
        )}
      </p>
      {row.change !== null && <HowFar change={row.change} />}
    </section>
  );
}

interface ChangesProps {
  readonly row: AuditRow;
  readonly onUndo: ((addresses: readonly string[]) => void) | undefined;
}

/** Of a record of very many entries some at a time, or those that an address touches. */
function Changes({ row: { n, bulk, targets, hits }, onUndo }: ChangesProps) {
  const [target, setTarget] = useState((bulk && hits?.first[0]) ?? "");
  const { data, error, isPending, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ["audit", "changes", n, target],
    queryFn: ({ pageParam, signal }) =>
      auditDetail(n, { part: pageParam, ...(target && { target }) }).queryFn({ signal }),
    initialPageParam: 1,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: bulk?.isFinished === false ? 0 : Number.POSITIVE_INFINITY,
  });
  if (isPending) {
    return (
      <div aria-busy="true" className="flex flex-col gap-2">
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4 w-1/2" />
      </div>
    );
  }
  const [first] = data?.pages ?? [];
  if (first?.diff) return <Diff diff={first.diff} />;
  if (data && first)
    return (
      <>
        {bulk && (
          <TypedInput
            label={`Find an address in record ${n}`}
            placeholder="Find an address in it"
            value={target}
            onChange={setTarget}
            isMono
            className="w-60 max-sm:w-full"
          />
        )}
        <ChangesTable
          changes={data.pages.flatMap((page) => page.changes)}
          hits={hits?.first ?? []}
          // One entry alone is undone with its record.
          onUndo={first.isOfEntries && targets > 1 ? onUndo : undefined}
          more={hasNextPage ? { isBusy: isFetching, load: () => void fetchNextPage() } : undefined}
        />
      </>
    );
  return (
    <p role="alert" className="flex flex-wrap items-center gap-2 text-cell text-blocked">
      Failed to load the changes. {error?.message}
      <Button size="sm" onClick={() => void refetch()}>
        Retry
      </Button>
    </p>
  );
}

/** What changed of the policy, a sentence each: names and messages in it are foreign. */
function Diff({ diff }: { diff: NonNullable<AuditDetail["diff"]> }) {
  if (diff.length === 0)
    return <p className="text-cell text-text-2">No difference between the two versions.</p>;
  return (
    <ul
      aria-label={counted(diff.length, "difference")}
      className="flex list-disc flex-col gap-0.5 pl-4 text-cell"
    >
      {diff.map((sentence) => (
        <li key={sentence}>
          <Untrusted text={sentence} max={600} />
        </li>
      ))}
    </ul>
  );
}

/** Nodes keep the progress for an hour. It is read on request. */
function HowFar({ change }: { change: number }) {
  const [isAsked, setIsAsked] = useState(false);
  if (isAsked) return <ChangeProgress change={change} />;
  return (
    <span>
      <Button size="sm" onClick={() => setIsAsked(true)}>
        Show progress
      </Button>
    </span>
  );
}

const mostShown = 10;
/** What one undo takes, as the action does. */
const mostChosen = 1_000;

interface ChangesTableProps extends Pick<AuditDetail, "changes"> {
  /** What the search found comes first. */
  readonly hits: readonly string[];
  /** Undefined where entries cannot be undone one by one. */
  readonly onUndo: ((addresses: readonly string[]) => void) | undefined;
  /** More can be loaded. */
  readonly more: { readonly isBusy: boolean; readonly load: () => void } | undefined;
}

/** State of each target before and after. */
function ChangesTable({ changes: all, hits, onUndo, more }: ChangesTableProps) {
  const isHit = ({ target }: AuditDetail["changes"][number]) => hits.includes(target);
  const changes = [...all.filter(isHit), ...all.filter((change) => !isHit(change))];
  const [isWhole, setIsWhole] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const shown = isWhole ? changes : changes.slice(0, mostShown);
  const rest = changes.length - shown.length;
  const toggle = (target: string, isChosen: boolean) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!isChosen) next.delete(target);
      else if (next.size < mostChosen) next.add(target);
      return next;
    });
  return (
    <>
      <ul className="flex flex-col gap-1 text-cell">
        {shown.map((change) => (
          <Row
            key={change.target}
            change={change}
            isHit={isHit(change)}
            isChosen={chosen.has(change.target)}
            onChoose={onUndo ? toggle : undefined}
          />
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        {rest > 0 && (
          <Button size="sm" onClick={() => setIsWhole(true)}>
            {`Show ${counted(rest, "more", "more")}`}
          </Button>
        )}
        {rest === 0 && more && (
          <Button size="sm" isBusy={more.isBusy} onClick={more.load}>
            Load more
          </Button>
        )}
        {onUndo && chosen.size > 0 && (
          <Button size="sm" icon={<Undo2 />} onClick={() => onUndo([...chosen])}>
            {`Undo ${counted(chosen.size, "entry", "entries")}`}
          </Button>
        )}
      </div>
    </>
  );
}

interface RowProps {
  readonly change: AuditDetail["changes"][number];
  readonly isHit: boolean;
  readonly isChosen: boolean;
  readonly onChoose: ((target: string, isChosen: boolean) => void) | undefined;
}

/** No customer id has a colon or slash, and few have four numbers with dots. */
const isAddress = /[:/]|^\d+\.\d+\.\d+\.\d+$/;

function Row({ change: { target, before, after }, isHit, isChosen, onChoose }: RowProps) {
  return (
    <li className="flex items-start gap-1.5">
      {onChoose && (
        <Checkbox
          label={`Choose ${target}`}
          isLabelHidden
          checked={isChosen}
          onChange={(isNow) => onChoose(target, isNow)}
        />
      )}
      <div className="grid min-h-6 min-w-0 flex-1 content-center gap-x-3 sm:grid-cols-[minmax(8rem,14rem)_minmax(0,1fr)]">
        <span className="min-w-0">
          <Target target={target} isMono /> {isHit && <Badge tone="plain">found</Badge>}{" "}
          <Address
            address={target}
            hasLink={false}
            hasOwner={isAddress.test(target)}
            hasNetwork={isCanonical(target)}
          />
        </span>
        <span className="min-w-0 text-text-2 wrap-anywhere">
          <span className="text-text-3">
            <Sentence pieces={before} isPlain />
          </span>
          <ArrowRight aria-label="then" className="mx-1.5 inline size-3 text-text-3" />
          <Sentence pieces={after} isPlain />
        </span>
      </div>
    </li>
  );
}
