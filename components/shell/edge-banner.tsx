"use client";

import { Power } from "lucide-react";
import type { Status } from "../../lib/queries/status.ts";
import { Banner } from "../ui/banner.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { Switched } from "./switched.tsx";

export const edgePath = "/edge";

interface EdgeBannerProps {
  off: NonNullable<Status["edgeOff"]>;
  /** On its own page, which has the switch. */
  isHere: boolean;
}

/** Stands on every page for as long as nobody is turned away before the fleet. */
export function EdgeBanner({ off, isHere }: EdgeBannerProps) {
  return (
    <Banner
      tone="throttled"
      icon={<Power />}
      title="Edge off: nobody is turned away there, rules and lists go on in the fleet"
      actions={!isHere && <LinkButton href={edgePath}>Open Edge</LinkButton>}
    >
      <Switched {...off} />
    </Banner>
  );
}
