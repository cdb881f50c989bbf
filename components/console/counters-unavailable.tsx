"use client";

import { Gauge } from "lucide-react";

interface CountersUnavailableProps {
  /** Whether rows follow, of nodes or of other systems. */
  hasRows: boolean;
}

/** Replaces counts while the counters' Redis does not answer. The banner states what the rules then do. */
export function CountersUnavailable({ hasRows }: CountersUnavailableProps) {
  return (
    <p className="flex gap-2 px-3.5 pt-1 pb-4 text-cell text-text-2">
      <Gauge className="mt-0.5 size-3.5 shrink-0 text-throttled" />
      <span>
        <span className="font-semibold text-text">Counters unavailable.</span>{" "}
        {hasRows ? "Clients may be missing here." : "It is unknown which clients are near a limit."} Check
        COUNTERS_REDIS_URL and its server.
      </span>
    </p>
  );
}
