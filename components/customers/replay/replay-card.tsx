"use client";

import { ArrowRight } from "lucide-react";
import { ReadState } from "@/components/console/read-state.tsx";
import { Card } from "@/components/ui/card.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { tints } from "@/components/ui/tone.ts";
import { toneIcon } from "@/components/ui/tone-icon.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { CustomerReplay } from "@/lib/queries/customer-day.ts";
import { sayKnown } from "../day/day-words.ts";
import type { Editor } from "../draft/use-editor.ts";
import { sayStanding, sayWish } from "../verdict/standing-words.ts";
import { ReplayChart } from "./replay-chart.tsx";
import { ReplayTable } from "./replay-table.tsx";
import { notesOf, type Outcome, outcomeOf } from "./replay-words.ts";
import { useReplay } from "./use-replay.ts";

/** What the limits in force, and those of the draft, would have made of the last 24 hours. */
export function ReplayCard({ editor }: { editor: Editor }) {
  const { read, isWanted, isBehind } = useReplay(editor);
  return (
    <Card
      title={isWanted ? "Before → after, replayed" : "Replayed"}
      hint={`over ${read.data ? sayKnown(read.data.knownMinutes) : "the last 24 h"}`}
      isFlush
    >
      <ReadState read={read} name="the replay" skeleton={<ReplaySkeleton />} isInset isCompact>
        {(replay) => (
          <div className={isBehind ? "opacity-60" : undefined}>
            <Replayed {...{ editor, replay, isWanted }} />
          </div>
        )}
      </ReadState>
    </Card>
  );
}

interface ReplayedProps {
  editor: Editor;
  replay: CustomerReplay;
  isWanted: boolean;
}

function Replayed({ editor: { now, draft }, replay, isWanted }: ReplayedProps) {
  const { before, after, mode, hours } = replay;
  if (replay.knownMinutes === 0)
    return <p className="px-3.5 pb-3.5 text-cell text-text-2">No data of the last 24 h to replay.</p>;
  return (
    <>
      <div className="flex items-stretch gap-2.5 px-3.5 pt-1.5 pb-3">
        <Box
          title={`${isWanted ? "Before" : "Now"}: ${sayStanding(now)}`}
          outcome={outcomeOf(before, mode)}
          isPlain={isWanted}
        />
        {isWanted && (
          <>
            <ArrowRight aria-hidden="true" className="self-center text-text-3 max-sm:hidden" />
            <Box title={`After: ${sayWish(draft)}`} outcome={outcomeOf(after, mode)} />
          </>
        )}
      </div>
      {before.requests > 0 && (
        <>
          <ReplayChart {...{ hours, isWanted, before, after }} />
          <ReplayTable mode={mode} before={before.levels} after={isWanted ? after.levels : undefined} />
          <Notes notes={notesOf(replay, { isWanted, isCustom: draft.rows !== null })} />
        </>
      )}
    </>
  );
}

function Notes({ notes }: { notes: readonly string[] }) {
  return (
    <ul className="flex flex-col gap-1 border-t border-border px-3.5 py-2.5 text-cell text-text-2">
      {notes.map((note) => (
        <li key={note} className="wrap-anywhere">
          {note}
        </li>
      ))}
    </ul>
  );
}

function Box({ title, outcome, isPlain = false }: { title: string; outcome: Outcome; isPlain?: boolean }) {
  const { tone, over, text } = outcome;
  return (
    <div
      className={classes(
        "min-w-0 flex-1 rounded-control border px-2.5 py-2",
        tints[tone],
        isPlain && "border-solid border-border-2 bg-transparent",
      )}
    >
      <p className="truncate text-cell text-text-2">{title}</p>
      <p className="flex items-center gap-1.5 text-title font-semibold tabular-nums">
        {tone !== "plain" && toneIcon(tone)}
        {countText(over)}
      </p>
      <p className="text-cell text-text-2">{text}</p>
    </div>
  );
}

function ReplaySkeleton() {
  return (
    <div className="flex flex-col gap-3 px-3.5 pt-1.5 pb-3.5">
      <Skeleton className="h-18 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  );
}
