"use client";

import { Card } from "@/components/ui/card.tsx";
import { toneIcon } from "@/components/ui/tone-icon.tsx";
import { countText, decimalText, durationText } from "@/components/ui/value-text.ts";
import { VerdictBadge } from "@/components/ui/verdicts.tsx";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import type { CustomerNow, LevelUsage } from "@/lib/queries/customer.ts";
import { sayUsed } from "../customer-words.ts";
import type { Editor } from "../draft/use-editor.ts";
import { BeforeAfter, type BoxContent } from "./before-after.tsx";
import type { usePreview } from "./use-outlook.ts";
import { sayVerdict, type Verdict, verdictOf } from "./verdict.ts";
import { WindowsTable } from "./windows-table.tsx";

/** Verdict of the next request now, and after a save of the draft. */
export function VerdictCard({ editor, preview }: { editor: Editor; preview: ReturnType<typeof usePreview> }) {
  const { now, staleSince } = editor;
  const after = preview.preview?.after;
  const before = preview.preview?.before ?? now.usage;
  const isKnown = staleSince === undefined && before !== null && after !== null;
  const { isWanted, isBehind } = preview;
  return (
    <Card title={isWanted ? "Before → after" : "Next request"} hint="from current counters" isFlush>
      {isKnown ? (
        <>
          <BeforeAfter
            {...{ editor, isWanted }}
            before={boxOf(verdictOf(before, now.mode))}
            after={after && boxOf(verdictOf(after, now.mode))}
            className={isBehind ? "opacity-60" : undefined}
          />
          <WindowsTable
            label="Levels, before and after"
            nowTitle="Used"
            before={before}
            after={isWanted ? after : undefined}
            cell={(usage) => <Used usage={usage} mode={now.mode} />}
          />
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

function boxOf(verdict: Verdict): BoxContent {
  const tone = verdict.name === "none" ? "plain" : verdict.name;
  const text = verdict.by ? sayUsed(verdict.by) : "no level counts it";
  return { tone, icon: toneIcon(tone), value: sayVerdict(verdict), text };
}

function Used({ usage, mode }: { usage: LevelUsage; mode: CustomerNow["mode"] }) {
  const { name } = verdictOf([usage], mode);
  const isEstimate = isRate(usage.algorithm);
  const used = isEstimate ? decimalText(usage.used) : countText(Math.round(usage.used));
  return (
    <VerdictBadge verdict={name === "none" ? "pass" : name}>
      {`${used} / ${countText(usage.limit)}${isEstimate ? "/s" : ""}`}
    </VerdictBadge>
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
