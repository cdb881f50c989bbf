"use client";

import { sayRules } from "@/components/console/outage-words.ts";
import { useStanding } from "@/components/console/status.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { EdgeBanner, edgePath } from "./edge-banner.tsx";
import { OutageBanner } from "./health/outage-banner.tsx";
import { ModeBanner } from "./mode/mode-banner.tsx";
import { SignInAgain } from "./signed-out-dialog.tsx";

/** Banners of every page. Outages first, then what a user has switched. */
export function Banners({ path }: { path: string }) {
  const { known, trouble } = useStanding();
  return (
    <>
      {trouble && trouble.kind !== "signed-out" && <OutageBanner trouble={trouble} />}
      {trouble?.kind === "signed-out" && (
        <Banner
          tone="throttled"
          title="Your session has ended. This page no longer updates"
          actions={<SignInAgain />}
        >
          What you typed is still here.
        </Banner>
      )}
      {!trouble && known && !known.counters.isUp && (
        <Banner
          tone="throttled"
          title="Counters unavailable. Both lists are enforced, and changes still work."
        >
          {sayRules(known)} Check COUNTERS_REDIS_URL and its server.
        </Banner>
      )}
      {known && known.mode !== "enforce" && <ModeBanner known={known} />}
      {known?.edgeOff && <EdgeBanner off={known.edgeOff} isHere={path === edgePath} />}
      {known?.policyProblem && (
        <Banner
          tone="blocked"
          title={`The policy in Redis is invalid. Nodes enforce version ${known.policyVersion}`}
        >
          {known.policyProblem}. Roll back to a version, or publish a new one.
        </Banner>
      )}
    </>
  );
}
