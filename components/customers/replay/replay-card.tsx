"use client";

import dynamic from "next/dynamic";
import type { Limit } from "@/components/charts/day-chart.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { toneIcon } from "@/components/ui/tone-icon.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { VerdictBadge } from "@/components/ui/verdicts.tsx";
import type { CustomerReplay, ReplayLevel, ReplaySums } from "@/lib/queries/customer-day.ts";
import { sayLevel } from "../customer-words.ts";
import { sayKnown } from "../day/usage-bars.ts";
import { LayerList } from "../day/usage-card.tsx";
import type { Editor } from "../draft/use-editor.ts";
import { BeforeAfter, type BoxContent } from "../verdict/before-after.tsx";
import { useReplay } from "../verdict/use-outlook.ts";
import { WindowsTable } from "../verdict/windows-table.tsx";
import { replayBars } from "./replay-bars.ts";
import { notesOf, type Outcome, outcomeOf } from "./replay-words.ts";

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
          <div className={isBehind ? "grayscale" : undefined}>
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

function Replayed({ editor, replay, isWanted }: ReplayedProps) {
  const { before, after, mode } = replay;
  if (replay.knownMinutes === 0)
    return <p className="px-3.5 pb-3.5 text-cell text-text-2">No data of the last 24 h to replay.</p>;
  return (
    <>
      <BeforeAfter
        {...{ editor, isWanted }}
        before={boxOf(outcomeOf(before, mode))}
        after={boxOf(outcomeOf(after, mode))}
      />
      {before.requests > 0 && (
        <>
          <ReplayChart {...{ replay, isWanted }} />
          <WindowsTable
            label="Windows, replayed"
            nowTitle="Limit"
            before={before.levels}
            after={isWanted ? after.levels : undefined}
            cell={(level) => <Against level={level} mode={mode} />}
            peak={(level) => countText(level.peak)}
          />
          <ul className="flex flex-col gap-1 border-t border-border px-3.5 py-2.5 text-cell text-text-2">
            {notesOf(replay, { isWanted, isCustom: editor.draft.rows !== null }).map((note) => (
              <li key={note} className="wrap-anywhere">
                {note}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function boxOf({ tone, over, text }: Outcome): BoxContent {
  return { tone, icon: tone !== "plain" && toneIcon(tone), value: countText(over), text };
}

function Against({ level, mode }: { level: ReplayLevel; mode: CustomerReplay["mode"] }) {
  const isOver = level.denied > 0 || level.peak > level.limit;
  const over = mode === "enforce" && !level.isShadowed ? "throttled" : "shadow";
  return (
    <VerdictBadge verdict={isOver ? over : "pass"}>
      {`${countText(level.peak)} / ${countText(level.limit)}`}
    </VerdictBadge>
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

const DayChart = dynamic(
  () => import("@/components/charts/day-chart.tsx").then((module) => module.DayChart),
  { ssr: false, loading: () => <Skeleton className="h-48 w-full" /> },
);

const hourSeconds = 3_600;
const hourMs = hourSeconds * 1_000;

/** Hour by hour, with limits that are by the hour. */
function ReplayChart({ replay, isWanted }: Omit<ReplayedProps, "editor">) {
  const { hours, before, after } = replay;
  const { layers, bars } = replayBars(hours, isWanted);
  const from = hours[0]?.at ?? 0;
  return (
    <div className="px-3.5 pb-3">
      <LayerList layers={layers} />
      <DayChart
        caption="Requests by the hour, replayed"
        {...{ from, bars, layers }}
        until={from + hours.length * hourMs}
        stepMs={hourMs}
        limits={limitsOf(before, isWanted ? after : undefined)}
        height={192}
      />
    </div>
  );
}

/** The draft is solid; the limits in force are a reference. */
function limitsOf(before: ReplaySums, after: ReplaySums | undefined): Limit[] {
  const hourly = ({ levels }: ReplaySums) =>
    levels.find(({ periodSeconds }) => periodSeconds === hourSeconds);
  const [was, is] = [hourly(before), after && hourly(after)];
  if (!after) return was ? [{ value: was.limit, text: sayLevel(was), isSolid: true }] : [];
  const isSame = was?.limit === is?.limit;
  return [
    ...(was && !isSame ? [{ value: was.limit, text: `before ${sayLevel(was)}`, isSolid: false }] : []),
    ...(is
      ? [{ value: is.limit, text: isSame ? sayLevel(is) : `after ${sayLevel(is)}`, isSolid: true }]
      : []),
  ];
}
