"use client";

import { TriangleAlert } from "lucide-react";
import { classes } from "../ui/classes.ts";
import { durationText } from "../ui/duration-text.ts";
import { useNow } from "../ui/now.ts";
import { Popover } from "../ui/popover.tsx";
import { HealthDetails } from "./health-details.tsx";
import { type Health, healthOf } from "./health-words.ts";
import { useStanding } from "./status.tsx";

const frames: Readonly<Record<Health["state"], string>> = {
  well: "border-border-2 text-text",
  limping: "border-throttled-bd bg-throttled-bg text-throttled",
  down: "border-blocked-bd bg-blocked-bg text-blocked",
};

/** Whether Redis answers and the nodes follow; opens to what exactly. */
export function HealthPill() {
  const standing = useStanding();
  const { state, title, detail } = healthOf(standing);
  const { trouble } = standing;
  return (
    <Popover
      label="Health"
      align="end"
      width={340}
      trigger={
        <button
          type="button"
          className={classes(
            "inline-flex h-7 min-w-0 items-center gap-2 rounded-full border px-2.5 text-cell transition-colors hover:bg-hover max-sm:h-11",
            frames[state],
          )}
        >
          {state === "well" ? <Dot /> : <TriangleAlert className="size-3.5" />}
          <span className="truncate">
            <span className="font-medium">{title}</span>{" "}
            <span className={state === "well" ? "text-text-2" : ""}>
              {trouble && state === "down" ? <Lasting since={trouble.since} /> : detail}
            </span>
          </span>
        </button>
      }
    >
      <HealthDetails standing={standing} />
    </Popover>
  );
}

function Dot() {
  return <span className="size-2 shrink-0 rounded-full bg-pass-graphic ring-3 ring-pass-bg" />;
}

function Lasting({ since }: { since: number }) {
  return <span suppressHydrationWarning>{durationText(useNow() - since)}</span>;
}
