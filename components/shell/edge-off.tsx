"use client";

import { Power } from "lucide-react";
import { useStanding } from "@/components/console/status.tsx";
import { Switched } from "@/components/console/switched.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Link } from "@/components/ui/link.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { tints } from "@/components/ui/tone.ts";
import type { Status } from "@/lib/queries/status.ts";

export const edgePath = "/edge";

interface EdgeBannerProps {
  off: NonNullable<Status["edgeOff"]>;
  /** On the Edge page, which has the switch. */
  isHere: boolean;
}

/** Shown on every page while the edge is switched off. */
export function EdgeBanner({ off, isHere }: EdgeBannerProps) {
  return (
    <Banner
      tone="throttled"
      icon={<Power />}
      title="Edge off: no client is denied there. Nodes still enforce rules and lists"
      actions={!isHere && <LinkButton href={edgePath}>Open Edge</LinkButton>}
    >
      <Switched {...off} />
    </Banner>
  );
}

/** Shown beside the mode while the edge is switched off. */
export function EdgeBadge() {
  const { known } = useStanding();
  if (!known?.edgeOff) return null;
  return (
    <Link
      href={edgePath}
      className={classes(
        "inline-flex h-7 shrink-0 items-center gap-1.5 rounded-control border px-2.5 text-cell font-semibold whitespace-nowrap max-sm:h-11 max-sm:w-11 max-sm:justify-center max-sm:px-0 [&_.lucide]:size-3.5",
        tints.throttled,
      )}
    >
      <Power />
      <span className="max-md:sr-only">Edge off</span>
    </Link>
  );
}
