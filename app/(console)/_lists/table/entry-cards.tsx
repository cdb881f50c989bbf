"use client";

import { classes } from "../../../../components/ui/classes.ts";
import { Countdown } from "../../../../components/ui/countdown.tsx";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";
import { wordsOf } from "../list-words.ts";
import { ConflictBadge, isInForce } from "./conflict-badge.tsx";
import { AddedAt, AddedBy, Address, Reason } from "./entry-cells.tsx";
import { isLapsing } from "./lapse.ts";
import { LapseActions } from "./lapse-actions.tsx";
import { PickBox } from "./pick-box.tsx";
import { RowMenu } from "./row-menu.tsx";
import type { HeldRow } from "./row-windows.ts";
import { heights, holding, placesIn, type RowsView } from "./rows-view.ts";
import { isSelected } from "./selection.ts";

/** What the table shows, for narrow windows. */
export function EntryCards(view: RowsView) {
  const { list, count, span, space, bodyRef, isDimmed, rows, onHold } = view;
  const isInbox = view.url.facet === "expiring" && view.mayChange;
  return (
    <ul
      aria-label={wordsOf[list].title}
      ref={(body) => {
        bodyRef.current = body;
      }}
      aria-busy={isDimmed || undefined}
      style={{ paddingTop: space.before, paddingBottom: space.after }}
      className={classes("min-w-0", isDimmed && "opacity-55")}
      {...holding(onHold)}
    >
      {placesIn(span).map((place) => {
        const row = rows.get(place);
        return (
          <li
            key={place}
            aria-setsize={count}
            aria-posinset={place + 1}
            style={{ height: isInbox ? heights.askingCard : heights.card }}
            className="pb-2"
          >
            {row ? <EntryCard place={place} row={row} view={view} isInbox={isInbox} /> : <SkeletonCard />}
          </li>
        );
      })}
    </ul>
  );
}

interface EntryCardProps {
  readonly place: number;
  readonly row: HeldRow;
  readonly view: RowsView;
  readonly isInbox: boolean;
}

const card = "flex h-full flex-col justify-between overflow-hidden rounded-card border bg-surface px-1";

function EntryCard({ place, row: { entry, isGone }, view, isInbox }: EntryCardProps) {
  const { list, selection, removing, lapsing } = view;
  const isPicked = isSelected(selection, entry.address);
  const isGoing = isGone || removing.has(entry.address);
  return (
    <article
      className={classes(
        card,
        isPicked ? "border-control bg-raised" : "border-border",
        (isGoing || (isInbox && isLapsing(lapsing, entry))) && "opacity-50",
      )}
    >
      <div className="flex items-center">
        <PickBox
          isPicked={isPicked}
          label={`Select ${entry.address}`}
          onPick={(hasShift) => view.onPick(entry, place, hasShift)}
        />
        <span className="min-w-0 flex-1 text-body">
          <Address entry={entry} isInForce={isInForce(list, entry) && !isGoing} />
        </span>
        <RowMenu {...view} entry={entry} />
      </div>
      <div className="flex min-w-0 items-center gap-2 px-2.5 text-cell whitespace-nowrap">
        <ConflictBadge list={list} entry={entry} />
        <Reason text={entry.reason} />
      </div>
      <div className="flex items-end justify-between gap-3 px-2.5 pb-2 text-cell whitespace-nowrap text-text-2">
        <span className="flex min-w-0 items-center gap-1.5">
          <AddedBy entry={entry} />
          <AddedAt at={entry.at} />
        </span>
        {isGoing ? (
          <span className="text-text-3">gone</span>
        ) : (
          <Countdown endsAt={entry.expiresAt} lifeMs={entry.lifeMs} />
        )}
      </div>
      {isInbox && entry.expiresAt !== null && (
        <LapseActions
          entry={entry}
          isLapsing={isLapsing(lapsing, entry)}
          mayForever={view.mayForever}
          onExtend={view.onExtend}
          onLapse={view.onLapse}
        />
      )}
    </article>
  );
}

function SkeletonCard() {
  return (
    <div className={classes(card, "gap-3 border-border p-3")}>
      <Skeleton className="h-4 w-36" />
      <Skeleton className="h-3 w-52" />
      <Skeleton className="h-3 w-40" />
    </div>
  );
}
