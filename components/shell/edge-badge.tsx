"use client";

import { Power } from "lucide-react";
import { classes } from "../ui/classes.ts";
import { Link } from "../ui/link.tsx";
import { tints } from "../ui/tone.ts";
import { edgePath } from "./edge-banner.tsx";
import { useStanding } from "./status.tsx";

/** Beside the mode, while the edge is switched off. */
export function EdgeBadge() {
  const { known } = useStanding();
  if (!known?.edgeOff) return null;
  return (
    <Link
      href={edgePath}
      className={classes(
        "inline-flex h-7 shrink-0 items-center gap-1.5 rounded-control border px-2.5 text-cell font-semibold whitespace-nowrap max-sm:h-11 [&_.lucide]:size-3.5",
        tints.throttled,
      )}
    >
      <Power />
      Edge off
    </Link>
  );
}
