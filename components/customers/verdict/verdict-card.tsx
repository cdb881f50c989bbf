"use client";

import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { Card } from "@/components/ui/card.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { tints } from "@/components/ui/tone.ts";
import { toneIcon } from "@/components/ui/tone-icon.tsx";
import { durationText } from "@/components/ui/value-text.ts";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import type { CustomerNow, LevelUsage } from "@/lib/queries/customer.ts";
import type { Editor } from "../draft/use-editor.ts";
import { sayUsed } from "../level-words.ts";
import { sayStanding, sayWish } from "./standing-words.ts";
import type { PreviewNow } from "./use-preview.ts";
import { type Verdict, verdictOf } from "./verdict.ts";
import { sayVerdict } from "./verdict-words.tsx";
import { WindowsTable } from "./windows-table.tsx";

/** Verdict of the next request now, and after a save of the draft. */
export function VerdictCard({ editor, preview }: { editor: Editor; preview: PreviewNow }) {
  const { now, draft, staleSince } = editor;
  const after = preview.preview?.after;
  const before = preview.preview?.before ?? now.usage;
  const isKnown = staleSince === undefined && before !== null && after !== null;
  const { isWanted, isBehind } = preview;
  return (
    <Card title={isWanted ? "Before → after" : "Next request"} hint="from current counters" isFlush>
      {isKnown ? (
        <>
          <div
            className={classes("flex items-stretch gap-2.5 px-3.5 pt-1.5 pb-3.5", isBehind && "opacity-60")}
          >
            <Box
              title={`${isWanted ? "Before" : "Now"}: ${sayStanding(now)}`}
              verdict={verdictOf(before, now.mode)}
              isPlain={isWanted}
            />
            {isWanted && (
              <>
                <ArrowRight aria-hidden="true" className="self-center text-text-3 max-sm:hidden" />
                {after ? (
                  <Box title={`After: ${sayWish(draft)}`} verdict={verdictOf(after, now.mode)} />
                ) : (
                  <Waiting />
                )}
              </>
            )}
          </div>
          <WindowsTable mode={now.mode} before={before} after={isWanted ? after : undefined} />
          <Notes now={now} verdict={verdictOf((isWanted ? after : undefined) ?? before, now.mode)} />
        </>
      ) : (
        <p className="px-3.5 pb-3.5 text-cell text-text-2">
          {staleSince === undefined
            ? "Counters unavailable. Usage and the next verdict are unknown. Changes can still be saved."
            : "Usage failed to load. The next verdict is unknown."}
        </p>
      )}
    </Card>
  );
}

function Box({ title, verdict, isPlain = false }: { title: string; verdict: Verdict; isPlain?: boolean }) {
  const tone = verdict.name === "none" ? "plain" : verdict.name;
  const used = verdict.by ? sayUsed(verdict.by) : "no level counts it";
  return (
    <div
      className={classes(
        "min-w-0 flex-1 rounded-control border px-2.5 py-2",
        tints[tone],
        isPlain && "border-solid border-border-2 bg-transparent",
      )}
    >
      <p className="truncate text-cell text-text-2">{title}</p>
      <p className="flex items-center gap-1.5 text-title font-semibold wrap-anywhere">
        {toneIcon(tone)}
        {sayVerdict(verdict)}
      </p>
      <p className="text-cell text-text-2">{used}</p>
    </div>
  );
}

function Waiting(): ReactNode {
  return (
    <div
      aria-busy="true"
      className="flex min-w-0 flex-1 flex-col gap-2 rounded-control border border-border p-2.5"
    >
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="h-5 w-1/2" />
    </div>
  );
}

function Notes({ now, verdict: { name, by } }: { now: CustomerNow; verdict: Verdict }) {
  const notes = [
    name === "throttled" && by && `${sayAgain(by)}.`,
    name === "none" && "Rules that count by address still apply.",
    now.mode === "shadow" && "The mode is shadow: no request is denied.",
    now.mode === "off" && "The mode is off: no request is counted or denied.",
  ].filter((note) => typeof note === "string");
  if (notes.length === 0) return null;
  return <p className="border-t border-border px-3.5 py-2.5 text-cell text-text-2">{notes.join(" ")}</p>;
}

/** Of the ways of counting, EARRRL alone charges requests that are denied. */
function sayAgain({ resetMs, algorithm }: LevelUsage): string {
  const again = `Passes again in ${durationText(resetMs)}`;
  return isRate(algorithm) ? `${again} without further requests` : again;
}
