import { memo } from "react";
import { classes } from "@/components/ui/classes.ts";
import { Countdown } from "@/components/ui/countdown.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { hitsIn } from "../hits-words.ts";
import { wordsOf } from "../list-words.ts";
import { drawnPlaces, heights, type RowProps, type RowsView } from "../rows/rows-view.ts";
import { EntryTags } from "../tags/entry-tags.tsx";
import { AddedAt, AddedBy, ConflictBadge, EntryAddress, PickBox, Reason } from "./entry-cells.tsx";
import { LapseActions, RowMenu } from "./row-menu.tsx";

/** Entries as cards, for narrow windows. */
export function EntryCards(view: RowsView) {
  const { list, rows, space, bodyRef } = view;
  const { read, count } = rows;
  const isInbox = view.url.facet === "expiring" && view.mayChange;
  return (
    <ul
      aria-label={wordsOf[list].title}
      ref={(body) => {
        bodyRef.current = body;
      }}
      aria-busy={read.isPlaceholderData || undefined}
      style={{ paddingTop: space.before, paddingBottom: space.after }}
      className={classes("min-w-0", (read.isPlaceholderData || read.error) && "grayscale")}
      {...rows.area}
    >
      {drawnPlaces(view).map(({ place, key, row }) => (
        <li
          key={key}
          aria-setsize={count || -1}
          aria-posinset={place + 1}
          style={{ height: isInbox ? heights.askingCard : heights.card }}
          className="pb-2"
        >
          {row ? <EntryCard {...row} /> : <SkeletonCard />}
        </li>
      ))}
    </ul>
  );
}

const card =
  "flex h-full flex-col justify-between overflow-hidden rounded-card border bg-surface px-1 sm:pt-2";

const EntryCard = memo(function EntryCard(row: RowProps) {
  const { entry, isPicked, isExpiring, mayChange } = row;
  const isInbox = isExpiring && mayChange;
  const isGoing = row.isGone || row.isRemoving;
  return (
    <article
      className={classes(
        card,
        isPicked ? "border-control bg-raised" : "border-border",
        isGoing && "opacity-50",
      )}
    >
      <div className="flex items-center">
        <PickBox {...row} />
        <span className="min-w-0 flex-1 text-body">
          <EntryAddress {...row} />
        </span>
        <RowMenu {...row} />
      </div>
      <div className="flex min-w-0 items-center gap-2 px-2.5 text-cell whitespace-nowrap">
        <ConflictBadge {...row} />
        <Reason text={entry.reason} />
        <EntryTags tags={entry.tags} />
        <span className="ml-auto shrink-0 text-text-3">{hitsIn(entry.hits)}</span>
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
        <div className="pr-1 pb-1.5">
          <LapseActions {...row} />
        </div>
      )}
    </article>
  );
});

function SkeletonCard() {
  return (
    <div className={classes(card, "gap-3 border-border p-3")}>
      <Skeleton className="h-4 w-36" />
      <Skeleton className="h-3 w-52" />
      <Skeleton className="h-3 w-40" />
    </div>
  );
}
