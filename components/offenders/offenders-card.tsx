import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { CountersUnavailable } from "@/components/console/counters-unavailable.tsx";
import type { EntryCommand } from "@/components/console/entry-command.ts";
import { HeldNotice } from "@/components/console/held-notice.tsx";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { type LiveRead, ReadState, useStaleSince } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { useStanding } from "@/components/console/status.tsx";
import { useHeldRows } from "@/components/console/use-held-rows.ts";
import { useLive } from "@/components/console/use-live.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { may } from "@/lib/manage/users/roles.ts";
import { mostDenied, type Offender, type OffendersReply } from "@/lib/queries/offenders.ts";
import { isSelectable, keyOf, OffenderTable } from "./offender-table.tsx";
import { isFiltered, plainView, shownClients } from "./offender-view.ts";
import { sayDenied } from "./offender-words.ts";
import { takeSelected } from "./selecting-link.ts";
import { useOffenderView } from "./use-offender-view.ts";

/** Loaded after the rows, or when they are first used. */
const FilterBar = dynamic(() => import("./filter-bar.tsx").then((file) => file.FilterBar), {
  ssr: false,
  loading: () => (
    <div className="flex h-10 items-center px-3.5 pb-2 max-sm:h-13">
      <Skeleton className="h-5 w-80 max-w-full" />
    </div>
  ),
});
const GroupTable = dynamic(() => import("./group-table.tsx").then((file) => file.GroupTable), {
  ssr: false,
  loading: () => <RowsSkeleton rows={6} hasHead />,
});
const BulkBar = dynamic(() => import("./bulk-bar.tsx").then((file) => file.BulkBar), {
  ssr: false,
  loading: () => null,
});
const EntryDialog = lazyDialog(() =>
  import("@/components/client/entry-dialog.tsx").then((file) => file.EntryDialog),
);

interface OffendersCardProps {
  read: LiveRead<OffendersReply>;
  /** Rows of clients: the worst of those that the view shows. */
  most?: number;
  /** Number of rows of the skeleton. */
  skeletonRows: number;
  mayChange: boolean;
  actions?: ReactNode;
  hint?: ReactNode;
}

const none: readonly Offender[] = [];
const nothing: ReadonlyMap<string, Offender> = new Map();

/** Clients that are denied, or near a limit: one table of counts, estimates and rates, with filters, groups and a selection. */
export function OffendersCard({
  read,
  most = mostDenied,
  skeletonRows,
  mayChange,
  ...head
}: OffendersCardProps) {
  const { app = "" } = useLive();
  const { known } = useStanding();
  const [view, setView] = useOffenderView();
  const [selected, setSelected] = useState(nothing);
  const [command, setCommand] = useState<EntryCommand>();
  const isStale = useStaleSince(read) !== undefined;
  const all = read.data?.clients ?? none;
  const filtered = useMemo(() => shownClients(all, view), [all, view]);
  const rows = useMemo(() => filtered.slice(0, most), [filtered, most]);
  const held = useHeldRows(
    {
      view: `${app} ${JSON.stringify(view)}`,
      ...{ isPlaceholder: read.isPlaceholderData, parts: [{ offset: 0, rows }], count: rows.length },
    },
    keyOf,
    selected.size > 0,
  );
  const isEmpty = held.count === 0;
  const select = (offenders: readonly Offender[], isSelected: boolean) =>
    setSelected((before) => {
      const next = new Map(before);
      for (const one of offenders)
        if (isSelected) next.set(keyOf(one), one);
        else next.delete(keyOf(one));
      return next;
    });
  const clear = () => setSelected(nothing);
  const selectOnly = (offenders: readonly Offender[]) => {
    const free = mayChange ? offenders.filter((one) => isSelectable(one) && one.listed === undefined) : [];
    setSelected(new Map(free.map((one) => [keyOf(one), one])));
  };
  useNamedClients(read.data, selectOnly);
  const { group } = view;
  return (
    <>
      <Card
        title="Offenders"
        isFlush
        className={classes("@container/card", selected.size > 0 && "mb-21")}
        actions={head.actions}
        hint={
          <>
            {read.data && !isStale && sayDenied(read.data, mostDenied)}
            {head.hint && <> · {head.hint}</>}
          </>
        }
      >
        <FilterBar clients={all} view={view} onView={setView} />
        <ReadState
          read={read}
          name="the offenders"
          skeleton={<RowsSkeleton rows={skeletonRows} rowHeight={45} hasHead />}
          unknown={({ isCounted }) =>
            isEmpty && !isCounted ? <CountersUnavailable hasRows={false} /> : undefined
          }
          empty={() =>
            isEmpty ? <NoRows isFiltered={isFiltered(view)} onClear={() => setView(plainView)} /> : undefined
          }
          isInset
          isCompact
        >
          {({ isCounted }) => (
            <div {...held.area} className="@container/rows">
              {!isCounted && <CountersUnavailable hasRows />}
              {group === "client" ? (
                <OffenderTable
                  rows={[...held.rows.values()]}
                  {...{ view, selected, mayChange, mode: known?.mode }}
                  onView={setView}
                  onSelect={select}
                  onCommand={setCommand}
                />
              ) : (
                <GroupTable
                  clients={filtered}
                  by={group}
                  {...{ view, mayChange }}
                  onView={setView}
                  onSelect={selectOnly}
                  onCommand={setCommand}
                />
              )}
              <HeldNotice {...held} isAtTop={selected.size > 0} />
            </div>
          )}
        </ReadState>
      </Card>
      {selected.size > 0 && (
        <BulkBar
          selected={latest(selected, all)}
          deniedPerSecond={read.data?.deniedPerSecond ?? 0}
          onCommand={setCommand}
          onClear={clear}
        />
      )}
      {command && (
        <EntryDialog
          command={command}
          mayForever={known !== undefined && may(known.you.role, "lists-forever")}
          onClose={() => setCommand(undefined)}
          onAdded={clear}
        />
      )}
    </>
  );
}

/** Selects the clients of a link, which are in the URL, once. */
function useNamedClients(
  data: OffendersReply | undefined,
  select: (offenders: readonly Offender[]) => void,
): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (!data || isDone.current) return;
    isDone.current = true;
    const url = new URL(window.location.href);
    const named = takeSelected(url);
    if (named.length === 0) return;
    window.history.replaceState(null, "", url);
    select(data.clients.filter(({ client }) => named.includes(client)));
  }, [data, select]);
}

/** Selected clients with the values of the last read. One that has left the table stays selected. */
function latest(selected: ReadonlyMap<string, Offender>, all: readonly Offender[]): readonly Offender[] {
  const known = new Map(all.filter(isSelectable).map((one) => [keyOf(one), one]));
  return [...selected].map(([key, one]) => known.get(key) ?? one);
}

/** Keeps the height of some rows, so that the page does not jump. */
function NoRows({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered)
    return <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">No client is near a limit.</p>;
  return (
    <div className="flex min-h-90 flex-col items-center justify-center gap-3 px-3.5 text-cell text-text-3">
      <p>No offender matches this filter.</p>
      <Button onClick={onClear}>Clear filters</Button>
    </div>
  );
}
