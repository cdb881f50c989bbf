import { Loader } from "lucide-react";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { ByWidth } from "@/components/console/by-width.tsx";
import { HeldNotice } from "@/components/console/held-notice.tsx";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { useKey } from "@/components/console/use-key.ts";
import { useLatest } from "@/components/console/use-latest.ts";
import { narrow, narrowForButtons, phone, useIsBelow, type Width } from "@/components/console/use-media.ts";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import type { ListName } from "@/lib/redis/keys.ts";
import { type ListUrl, withSort } from "../list-url.ts";
import { useLapsing, useListedBefore } from "../rows/lapse.ts";
import type { ListRows } from "../rows/row-windows.ts";
import { heights, type RowActs, type RowsView } from "../rows/rows-view.ts";
import { useListView } from "../rows/use-list-view.ts";
import { BulkBar } from "../selection/bulk-bar.tsx";
import { allToggled, entryOnly, nothing, useSelecting } from "../selection/selection.ts";
import { EntryCards } from "./entry-cards.tsx";
import { EntryTable } from "./entry-table.tsx";
import { Filters } from "./filters.tsx";
import { NoRows } from "./no-rows.tsx";
import { useBulk, useRowActions } from "./use-row-actions.ts";

/** Loaded when they are opened. */
const BulkDialog = lazyDialog(() => import("../selection/bulk-dialog.tsx").then((file) => file.BulkDialog));
const HistorySheet = lazyDialog(() => import("./history-sheet.tsx").then((file) => file.HistorySheet));

interface ListTableProps {
  readonly list: ListName;
  readonly url: ListUrl;
  readonly setUrl: (url: ListUrl) => void;
  readonly mayChange: boolean;
  readonly mayForever: boolean;
  readonly setTotal: (total: number | undefined) => void;
  readonly onAdd: () => void;
}

/** Entries of the list, with filters, selection and changes. */
export function ListTable(props: ListTableProps) {
  const { list, url, setUrl, mayChange, mayForever, setTotal, onAdd } = props;
  const isExpiring = url.facet === "expiring";
  const widthOfCards = isExpiring && mayChange ? narrowForButtons : narrow;
  const { tall, rows } = useListView({ list, url, setUrl, ...useSizes(widthOfCards) });
  const { selection, set, pick } = useSelecting(list, url, rows.rows);
  const matching = rows.read.data?.matching ?? 0;
  const actions = useRowActions(list);
  const bulk = useBulk({ selection, set, actions });
  const [lapsing, lapse] = useLapsing(list);
  const listedBefore = useListedBefore(list, isExpiring);
  const [history, setHistory] = useState<string>();
  const searchRef = useRef<HTMLInputElement>(null);
  useEffect(() => setTotal(rows.read.data?.total), [setTotal, rows.read.data?.total]);
  useKey("search", () => searchRef.current?.focus());
  useKey("clearSelection", () => set(nothing));
  const acts = useLatest<RowActs>({
    pick: (entry, place, hasShift) => void pick(entry, place, hasShift),
    extend: (entry, forMs) => void actions.extend(entryOnly(entry), forMs),
    remove: (entry) => void actions.remove(entryOnly(entry), ""),
    tag: (entry) => bulk.ask({ kind: "tag" }, entryOnly(entry)),
    history: (entry) => setHistory(entry.address),
    lapse,
  });
  const view: RowsView = {
    ...{ list, url, selection, lapsing, listedBefore, mayChange, mayForever, acts },
    ...{ rows, span: tall.span, space: tall.space, bodyRef: tall.ref, removing: actions.removing },
    onSort: (sort) => setUrl(withSort(url, sort)),
    onPickAll: (seen) => set(allToggled(selection, seen)),
  };
  return (
    <>
      <Filters {...{ url, rows, searchRef }} first={tall.first} last={tall.last} onChange={setUrl} />
      <Body {...{ list, url, rows, view, widthOfCards, mayChange, onAdd }} onChange={setUrl} />
      <BulkBar
        {...{ list, selection, mayChange, mayForever, progress: actions.progress, matching }}
        onAll={() => set({ kind: "matching", q: url.q, facet: url.facet, tag: url.tag, count: matching })}
        onExtend={bulk.extend}
        onTag={() => bulk.ask({ kind: "tag" })}
        onRemove={() => bulk.ask({ kind: "remove" })}
        onClear={() => set(nothing)}
      />
      {bulk.asked && (
        <BulkDialog
          {...{ list, ...bulk.asked }}
          onClose={bulk.close}
          onConfirm={(change, reason) => void bulk.change(change, reason)}
        />
      )}
      {history !== undefined && (
        <HistorySheet list={list} address={history} onClose={() => setHistory(undefined)} />
      )}
    </>
  );
}

interface BodyProps extends Omit<ComponentProps<typeof NoRows>, "page"> {
  readonly rows: ListRows;
  readonly view: RowsView;
  readonly widthOfCards: Width;
}

function Body({ view, widthOfCards, rows, ...without }: BodyProps) {
  const { count } = rows;
  const hasCards = useIsBelow(widthOfCards);
  const unmeasured = useRef<HTMLElement>(null);
  return (
    <ReadState
      read={rows.read}
      name={`the ${without.list}`}
      skeleton={
        <Card isFlush>
          <RowsSkeleton rows={12} columns={[3, 6, 2, 1, 2]} rowHeight={36} hasHead={!hasCards} />
        </Card>
      }
      unknown={({ isComplete }) =>
        count === 0 && !isComplete ? <CopyLoading list={without.list} /> : undefined
      }
      empty={(page) => (count === 0 ? <NoRows {...without} page={page} /> : undefined)}
      consequence="Nodes enforce their own copy."
      isFramed
      hasOwnNote
    >
      {() => (
        <div className="min-w-0">
          <HeldNotice {...rows} isAtTop />
          <ByWidth
            width={widthOfCards}
            below={<EntryCards {...view} {...(hasCards === undefined && firstCards(view, unmeasured))} />}
            above={<EntryTable {...view} />}
          />
        </div>
      )}
    </ReadState>
  );
}

/** Shown after the console has started: entries may follow. */
function CopyLoading({ list }: { list: ListName }) {
  return (
    <EmptyState
      icon={<Loader />}
      title={`The ${list} is still loading`}
      hint="The console copies the list from Redis. Entries appear as they arrive."
    />
  );
}

/** Number of cards that a narrow window shows at first. */
const mostFirstCards = 12;

/** While the width of the window is unknown, cards may be beside the table, which is measured. */
function firstCards({ span: { from, to } }: RowsView, bodyRef: RowsView["bodyRef"]): Partial<RowsView> {
  return { bodyRef, span: { from, to: Math.min(to, from + mostFirstCards) } };
}

/** Row height in this window, and the height of what covers the rows. While the width is unknown, those of a wide window. */
function useSizes(widthOfCards: Width) {
  const isPhone = useIsBelow(phone);
  const hasCards = useIsBelow(widthOfCards);
  const cardHeight = widthOfCards === narrowForButtons ? heights.askingCard : heights.card;
  const rowHeight = hasCards ? cardHeight : heights.row;
  const headHeight = (isPhone ? 0 : heights.bar) + (hasCards ? 0 : heights.head);
  return { isMeasured: hasCards !== undefined, rowHeight, headHeight };
}
