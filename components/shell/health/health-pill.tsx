"use client";

import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Standing } from "@/components/console/standing.ts";
import { useStanding } from "@/components/console/status.tsx";
import { classes } from "@/components/ui/classes.ts";
import { useNow } from "@/components/ui/now.ts";
import { Popover } from "@/components/ui/popover.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { clockText, countText, durationText } from "@/components/ui/value-text.ts";
import type { NodeStatus, Status } from "@/lib/queries/status.ts";
import { type Health, healthOf, sayPolling } from "./health-words.ts";

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
          {state === "well" ? (
            <span className="size-2 shrink-0 rounded-full bg-pass-graphic ring-3 ring-pass-bg" />
          ) : (
            <TriangleAlert className="size-3.5" />
          )}
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

function Lasting({ since }: { since: number }) {
  return <span suppressHydrationWarning>{durationText(useNow() - since)}</span>;
}

const nodesNamed = 5;

/** Content of the pill's popover: the state of each part, and the names of nodes with a problem. */
function HealthDetails({ standing: { known, trouble } }: { standing: Standing }) {
  if (!known) return <p className="text-cell text-text-2">{trouble?.message ?? "The status is unknown."}</p>;
  const behind = known.nodes.filter(({ isInSync }) => !isInSync);
  const polling = sayPolling(known.nodes);
  const blind = known.nodes.filter(({ isStamped }) => !isStamped);
  return (
    <div className="flex flex-col gap-3 text-cell">
      {trouble && (
        <p className="text-text-2">
          {trouble.message} The values below are from {clockText(known.at)}.
        </p>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
        <Fact name="Redis">{known.redis.latencyMs} ms</Fact>
        <Fact name="Counters">{known.counters.isUp ? `${known.counters.latencyMs} ms` : "unavailable"}</Fact>
        <Fact name="Nodes in sync">
          {known.nodes.length - behind.length} of {known.nodes.length}
        </Fact>
        <Fact name="Policy">version {known.policyVersion}</Fact>
        <Fact name="Last change">{sayNewest(known)}</Fact>
      </dl>
      <Nodes says="Behind. The last change is not in force on:" nodes={behind} />
      <Nodes
        says="Nothing is enforced on requests without a client address. Nodes with such requests:"
        nodes={blind}
      />
      {polling && <p className="text-text-2">{polling}</p>}
      {known.warnings.map((warning) => (
        <p key={warning} className="text-throttled">
          {warning}
        </p>
      ))}
    </div>
  );
}

function sayNewest({ newestChange: { number } }: Status): string {
  return number === 0 ? "none yet" : `number ${countText(number)}`;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-text-3">{name}</dt>
      <dd className="text-right">{children}</dd>
    </>
  );
}

function Nodes({ says, nodes }: { says: string; nodes: readonly NodeStatus[] }) {
  if (nodes.length === 0) return null;
  return (
    <div className="text-throttled">
      <p>{says}</p>
      <ul className="mt-1 flex flex-col gap-0.5 font-mono">
        {nodes.slice(0, nodesNamed).map(({ id }) => (
          <li key={id}>
            <Untrusted text={id} max={80} />
          </li>
        ))}
      </ul>
      {nodes.length > nodesNamed && <p>and {nodes.length - nodesNamed} more</p>}
    </div>
  );
}
