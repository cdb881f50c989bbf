"use client";

import { useQuery } from "@tanstack/react-query";
import { Check, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { classes } from "@/components/ui/classes.ts";
import { Spinner } from "@/components/ui/spinner.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, tookText } from "@/components/ui/value-text.ts";
import { type ChangeReach, changeReached } from "@/lib/queries/status.ts";

const quietAfterMs = 4_000;

interface ChangeProgressProps {
  /** Number of the change. Null if nothing was changed. */
  change: number | null;
  /** For a table's row: "on 6 of 6". Nothing is announced, because a notice tells the same. */
  isBrief?: boolean;
}

/** Progress of a change, as nodes report it. Names a node that lags. Fades once all nodes have applied the change. */
export function ChangeProgress({ change, isBrief = false }: ChangeProgressProps) {
  return change === null ? null : <Progress key={change} change={change} isBrief={isBrief} />;
}

function Progress({ change, isBrief }: { change: number; isBrief: boolean }) {
  const [begunAt] = useState(() => Date.now());
  const { data, isError } = useQuery({
    ...changeReached(change),
    refetchInterval: ({ state }) => nextLookMs(state.data, Date.now() - begunAt),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: "always",
    retry: false,
  });
  const isDone = data?.lagging.length === 0;
  const isOver = nextLookMs(data, Date.now() - begunAt) === false;
  const isQuiet = useLater(isDone, quietAfterMs);
  const icon = isDone ? (
    <Check className={isQuiet ? "" : "text-pass"} />
  ) : isError || isOver ? (
    <TriangleAlert />
  ) : (
    <Spinner />
  );
  if (isBrief)
    return (
      <span className="inline-flex items-center gap-1 text-meta whitespace-nowrap text-text-3">
        {icon}
        {data && data.nodes > 0 && `on ${data.nodes - data.lagging.length} of ${data.nodes}`}
      </span>
    );
  return (
    <p
      role="status"
      className={classes(
        "flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-0.5 text-cell transition-colors",
        isQuiet ? "text-text-3" : "text-text-2",
      )}
    >
      {icon}
      {data
        ? sayReached(data)
        : isError
          ? "Saved. The progress on the nodes is unknown"
          : "Saved. Waiting for the nodes"}
      {data && data.lagging.length > 0 && <Lagging nodes={data.lagging} />}
    </p>
  );
}

function Lagging({ nodes: [first, ...others] }: { nodes: readonly { id: string }[] }) {
  return (
    <span className="min-w-0 text-throttled">
      still waiting for <Untrusted text={first?.id ?? ""} max={60} />
      {others.length > 0 && ` and ${others.length} more`}
    </span>
  );
}

/** True once `isTrue` has been true for `ms`. */
function useLater(isTrue: boolean, ms: number): boolean {
  const [isLater, setIsLater] = useState(false);
  useEffect(() => {
    if (!isTrue) return setIsLater(false);
    const timer = setTimeout(() => setIsLater(true), ms);
    return () => clearTimeout(timer);
  }, [isTrue, ms]);
  return isLater;
}

/** Time until the next poll, in ms. False once polling ends. */
export function nextLookMs(reached: ChangeReach | undefined, elapsedMs: number): number | false {
  if (reached && reached.lagging.length === 0) return false;
  if (elapsedMs < 2_000) return 100;
  return elapsedMs < 30_000 ? 1_000 : false;
}

/** "Applied on 3 of 3 nodes in 90 ms". A node that started after the change counts as applied. */
export function sayReached({ nodes, reached, lagging }: ChangeReach): string {
  if (nodes === 0) return "No node is running, so it is not enforced yet";
  const on = `Applied on ${nodes - lagging.length} of ${counted(nodes, "node")}`;
  if (lagging.length > 0) return `${on} so far:`;
  const slowestMs = Math.max(0, ...reached.map(({ tookMs }) => tookMs));
  return reached.length > 0 ? `${on} in ${tookText(slowestMs)}` : on;
}
