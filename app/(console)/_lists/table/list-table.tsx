"use client";

import dynamic from "next/dynamic";
import { type ComponentProps, type RefObject, useEffect, useRef, useState } from "react";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { type ListUrl, withSort } from "../list-url.ts";
import { useKey } from "../use-key.ts";
import { useLatest } from "../use-latest.ts";
import { narrow, narrowForButtons, phone, useMedia } from "../use-media.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { BulkDialog } from "./bulk-dialog.tsx";
import { ChangedNotice } from "./changed-notice.tsx";
import { EntryCards } from "./entry-cards.tsx";
import { EntryTable } from "./entry-table.tsx";
import { Filters } from "./filters.tsx";
import { Freshness } from "./freshness.tsx";
import { NoRows } from "./no-rows.tsx";
import { heights, type RowActs, type RowsView } from "./rows-view.ts";
import { allToggled, countOf, entryOnly, nothing } from "./selection.ts";
import { useBulk } from "./use-bulk.ts";
import { useLapsing } from "./use-lapsing.ts";
import { useListView } from "./use-list-view.ts";
import { useListedBefore } from "./use-listed-before.ts";
import { useRowActions } from "./use-row-actions.ts";
import { useSelecting } from "./use-selecting.ts";

/** Fetched when it is wanted. */
const HistorySheet = dynamic(() => import("./history-sheet.tsx").then((file) => file.HistorySheet));

interface ListTableProps {
  readonly list: ListName;
  readonly url: ListUrl;
  readonly setUrl: (url: ListUrl) => void;
  readonly mayChange: boolean;
  readonly mayForever: boolean;
  /** Here the table leaves how to show its rows as they are now. */
  readonly release: RefObject<() => void>;
  readonly setTotal: (total: number | undefined) => void;
  readonly onAdd: () => void;
}

/** What stands on the list: found, read, chosen and changed. */
export function ListTable(props: ListTableProps) {
  const { list, url, setUrl, mayChange, mayForever, release, setTotal, onAdd } = props;
  const isExpiring = url.facet === "expiring";
  const { hasCards, ...sizes } = useSizes(isExpiring && mayChange);
  const { tall, rows, setIsHeld } = useListView({ list, url, setUrl, ...sizes });
  const { selection, set, pick } = useSelecting({ list, url, rows: rows.rows });
  const actions = useRowActions({ list, onDone: rows.release });
  const bulk = useBulk({ selection, set, actions });
  const [lapsing, lapse] = useLapsing(list);
  const listedBefore = useListedBefore(list, isExpiring);
  const [history, setHistory] = useState<string>();
  const searchRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    release.current = rows.release;
  }, [release, rows.release]);
  useEffect(() => setTotal(rows.page?.total), [setTotal, rows.page?.total]);
  useKey("f", () => searchRef.current?.focus());
  useKey("Escape", () => set(nothing));
  const acts = useLatest<RowActs>({
    pick: (entry, place, hasShift) => void pick(entry, place, hasShift),
    extend: (entry, forMs) => void actions.extend(entryOnly(entry), forMs),
    remove: (entry) => void actions.remove(entryOnly(entry), ""),
    history: (entry) => setHistory(entry.address),
    lapse,
  });
  const view: RowsView = {
    ...{ list, url, selection, lapsing, listedBefore, mayChange, mayForever, acts },
    ...{ count: rows.count, rows: rows.rows, span: tall.span, space: tall.space, bodyRef: tall.ref },
    ...{ removing: actions.removing, isChanging: rows.isChanging, isOld: rows.error !== null },
    onSort: (sort) => setUrl(withSort(url, sort)),
    onHold: setIsHeld,
    onPickAll: (seen) => set(allToggled(selection, seen)),
  };
  return (
    <>
      <Filters url={url} page={rows.page} searchRef={searchRef} onChange={setUrl}>
        <Freshness rows={rows} first={tall.first} last={tall.last} />
      </Filters>
      <Body {...{ list, url, rows, view, hasCards, mayChange, onAdd }} onChange={setUrl} />
      <BulkBar
        {...{ list, selection, mayChange, mayForever, progress: actions.progress, matching: rows.count }}
        onAll={() => set({ kind: "matching", q: url.q, facet: url.facet, count: rows.count })}
        onExtend={bulk.extend}
        onRemove={() => bulk.setAsked({ kind: "remove" })}
        onClear={() => set(nothing)}
      />
      <BulkDialog
        {...{ list, change: bulk.asked, count: countOf(selection) }}
        onClose={() => bulk.setAsked(undefined)}
        onConfirm={(wished, reason) => void bulk.change(wished, reason)}
      />
      {history !== undefined && (
        <HistorySheet list={list} address={history} onClose={() => setHistory(undefined)} />
      )}
    </>
  );
}

type BodyProps = ComponentProps<typeof NoRows> & { readonly view: RowsView; readonly hasCards: boolean };

function Body({ view, hasCards, ...without }: BodyProps) {
  const { count, page, error, isBehind, release } = without.rows;
  if (count === 0 && (page || error)) return <NoRows {...without} />;
  return (
    <div className="min-w-0">
      <ChangedNotice isBehind={isBehind} onShow={release} />
      {hasCards ? <EntryCards {...view} /> : <EntryTable {...view} />}
    </div>
  );
}

/** How rows are drawn in a window of this width, and how high they are. */
function useSizes(isInbox: boolean) {
  const isPhone = useMedia(phone);
  const hasCards = useMedia(isInbox ? narrowForButtons : narrow);
  const rowHeight = hasCards ? (isInbox ? heights.askingCard : heights.card) : heights.row;
  const headHeight = (isPhone ? 0 : heights.bar) + (hasCards ? 0 : heights.head);
  return { hasCards, rowHeight, headHeight };
}
