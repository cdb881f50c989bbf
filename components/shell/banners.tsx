"use client";

import { Banner } from "../ui/banner.tsx";
import { EdgeBanner, edgePath } from "./edge-banner.tsx";
import { ModeBanner } from "./mode-banner.tsx";
import { OutageBanner } from "./outage-banner.tsx";
import { sayRules } from "./outage-words.ts";
import { SignInAgain } from "./signed-out-dialog.tsx";
import { useStanding } from "./status.tsx";

/** What all of Sluice has to say just now: what is away first, then what somebody has switched. */
export function Banners({ path }: { path: string }) {
  const { known, trouble } = useStanding();
  return (
    <>
      {trouble && trouble.kind !== "signed-out" && <OutageBanner trouble={trouble} />}
      {trouble?.kind === "signed-out" && (
        <Banner
          tone="throttled"
          title="Your session has ended: nothing new is shown"
          actions={<SignInAgain />}
        >
          What you typed is still here.
        </Banner>
      )}
      {!trouble && known && !known.counters.isUp && (
        <Banner
          tone="throttled"
          title="The counters' Redis does not answer: both lists and all changes go on"
        >
          {sayRules(known)}
        </Banner>
      )}
      {known && known.mode !== "enforce" && <ModeBanner known={known} />}
      {known?.edgeOff && <EdgeBanner off={known.edgeOff} isHere={path === edgePath} />}
      {known?.policyProblem && (
        <Banner
          tone="blocked"
          title={`The policy that stands in Redis is not obeyed: nodes keep version ${known.policyVersion}`}
        >
          {known.policyProblem}. Roll back to a version, or save one anew.
        </Banner>
      )}
    </>
  );
}
