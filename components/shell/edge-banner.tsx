"use client";

import { Power } from "lucide-react";
import { Switched } from "@/components/console/switched.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
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
