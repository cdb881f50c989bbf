"use client";

import { usePathname } from "next/navigation";
import { useState } from "react";
import { appsOf, type Standing } from "@/components/console/standing.ts";
import { useStanding } from "@/components/console/status.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { AttackBanner } from "./attack/attack-banner.tsx";
import { EdgeBanner, edgePath } from "./edge-off.tsx";
import { OutageBanner, sayRules } from "./health/outage-banner.tsx";
import { LostLists } from "./loss/loss-banner.tsx";
import { ModeBanner } from "./mode/mode-state.tsx";

/** Banners of every page. Lost lists first, because nothing else is as urgent, then outages, then what a user has switched. */
export function Banners() {
  const path = usePathname();
  const standing = useStanding();
  const { known, trouble } = standing;
  return (
    <>
      <LostLists />
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
      {known && known.mode !== "enforce" && !saysMode(path, standing) && <ModeBanner known={known} />}
      {known?.attack && <AttackBanner known={known} attack={known.attack} />}
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

/** The Overview says the mode in its first sentence, while it knows of a node of an app and Redis answers. */
function saysMode(path: string, { known, trouble }: Standing): boolean {
  return path === "/" && !trouble && known !== undefined && appsOf(known).length > 0;
}

/** Shown when the session ends while the page is open. Typed text is kept. */
export function SignedOutDialog() {
  const { trouble } = useStanding();
  const [readAt, setReadAt] = useState<number>();
  const isOver = trouble?.kind === "signed-out";
  return (
    <Dialog
      isOpen={isOver && trouble.since !== readAt}
      onClose={() => setReadAt(trouble?.since)}
      title="Your session has ended"
      description="What you typed is still here. Sign in in a new tab, then return here. This page resumes automatically."
      footer={<SignInAgain />}
      isAlert
    />
  );
}

/** Opens another tab, so that this one loses nothing. */
function SignInAgain() {
  return (
    <LinkButton href="/signin" target="_blank" rel="noopener" variant="primary" size="lg">
      Sign in again
    </LinkButton>
  );
}
