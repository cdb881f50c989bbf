"use client";

import { TriangleAlert } from "lucide-react";
import { useStanding } from "@/components/console/status.tsx";
import { classes } from "@/components/ui/classes.ts";
import { useNow } from "@/components/ui/now.ts";
import { Popover } from "@/components/ui/popover.tsx";
import { durationText } from "@/components/ui/value-text.ts";
import { HealthDetails } from "./health-details.tsx";
import { type Health, healthOf } from "./health-words.ts";

const frames: Readonly<Record<Health["state"], string>> = {
  well: "border-border-2 text-text",
  limping: "border-throttled-bd bg-throttled-bg text-throttled",
  down: "border-blocked-bd bg-blocked-bg text-blocked",
};

/** State of Redis and the nodes. Opens the details. */
export function HealthPill({ isInTopBar = false }: { isInTopBar?: boolean }) {
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
            isInTopBar &&
              (state === "well"
                ? "shrink-0 max-md:hidden"
                : "max-sm:w-11 max-sm:shrink-0 max-sm:justify-center"),
          )}
        >
          {state === "well" ? <Dot /> : <TriangleAlert className="size-3.5" />}
          <span className={classes("truncate", isInTopBar && "max-sm:sr-only")}>
            <span className="font-medium">{title}</span>{" "}
            <span className={classes(state === "well" && "text-text-2", isInTopBar && "max-lg:sr-only")}>
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
