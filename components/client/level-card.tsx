"use client";

import { Activity, Gauge } from "lucide-react";
import { periodText } from "@/components/offenders/offender-words.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Meter } from "@/components/ui/meter.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { durationText, rateText } from "@/components/ui/value-text.ts";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import type { ClientLevel } from "@/lib/queries/client.ts";
import { sayRoom } from "./client-words.ts";

interface LevelCardProps {
  level: ClientLevel;
  /** An earlier step or rule decides. */
  isLater: boolean;
  /** Another step or rule decides. The card says "also over" when this level is over its limit. */
  isOvertaken: boolean;
}

/** One level of a rule and its count. Dashed when an earlier step decides. */
export function LevelCard({ level, isLater, isOvertaken }: LevelCardProps) {
  const { name, algorithm, used, limit, isOver, isShadowed, isDeciding } = level;
  const isEstimate = isRate(algorithm);
  return (
    <div
      className={classes(
        "flex flex-col gap-1 rounded-control border px-2.5 py-2",
        isDeciding ? "border-blocked-bd" : "border-border",
        isLater && "border-dashed border-border-2",
        isShadowed && "border-dashed border-shadow-bd",
      )}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-cell">
        {isEstimate ? (
          <Activity className="size-3.5 text-text-3" />
        ) : (
          <Gauge className="size-3.5 text-text-3" />
        )}
        <span className="font-mono font-medium">
          <Untrusted text={name} max={60} />
        </span>
        {isShadowed && <Badge tone="shadow">shadow</Badge>}
        <span className={classes("ml-auto", isOver ? "font-semibold text-blocked" : "text-text-2")}>
          {isOver && isOvertaken ? "also over" : sayStanding(level)}
        </span>
      </div>
      <div className="flex items-center gap-2">
        <Meter label={name} value={used} limit={limit} className="flex-1" />
        <span className="text-cell text-text-3">
          <span className={isOver ? "font-semibold text-blocked" : "text-text"}>
            {isEstimate ? rateText(used) : Math.floor(used)}
          </span>
          {isEstimate ? ` / ${rateText(limit)} per s` : ` / ${limit}`}
        </span>
      </div>
      <span className="text-meta text-text-3">{sayWhen(level, isLater)}</span>
    </div>
  );
}

function sayStanding({ algorithm, used, limit, isOver }: ClientLevel): string {
  if (!isRate(algorithm)) return sayRoom(used, limit);
  return isOver ? "over" : "under";
}

function sayWhen(
  { algorithm, periodSeconds, resetSeconds, isDeciding }: ClientLevel,
  isLater: boolean,
): string {
  const isEstimate = isRate(algorithm);
  const period = periodText(periodSeconds);
  const parts = [isEstimate ? `half-life ${period}` : `per ${period}`];
  if (resetSeconds > 0)
    parts.push(`${isEstimate ? "clears" : "resets"} in ${durationText(resetSeconds * 1_000)}`);
  if (isDeciding) parts.push("this rule decides");
  if (isLater) parts.push("did not decide");
  return parts.join(" · ");
}
