"use client";

import { DatabaseZap, RotateCcw, Unplug } from "lucide-react";
import { useTransition } from "react";
import { sayRules, sayWhatHolds } from "@/components/console/outage-words.ts";
import type { Trouble } from "@/components/console/standing.ts";
import { useStanding } from "@/components/console/status.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { useNow } from "@/components/ui/now.ts";
import { clockText, durationText } from "@/components/ui/value-text.ts";

/** States what does not answer, what is still enforced, and since when the page has no new data. */
export function OutageBanner({ trouble }: { trouble: Trouble }) {
  const { known } = useStanding();
  const now = useNow();
  const words = wordsOf(trouble, known);
  return (
    <Banner
      tone="blocked"
      icon={trouble.kind === "redis" ? <DatabaseZap /> : <Unplug />}
      title={words.title}
      actions={
        <>
          <span aria-hidden="true" suppressHydrationWarning className="text-cell text-text-2">
            for {durationText(now - trouble.since)}
          </span>
          {trouble.kind === "updated" ? <LoadAgain /> : <RetryNow />}
        </>
      }
    >
      {words.rest} {known && `Last updated ${clockText(known.at)}.`}
    </Banner>
  );
}

function RetryNow() {
  const { ask } = useStanding();
  const [isAsking, start] = useTransition();
  const retry = () => start(async () => void (await ask()));
  return (
    <Button variant="primary" icon={<RotateCcw />} isBusy={isAsking} onClick={retry}>
      Retry now
    </Button>
  );
}

function LoadAgain() {
  return (
    <Button variant="primary" icon={<RotateCcw />} onClick={() => location.reload()}>
      Reload
    </Button>
  );
}

function wordsOf(
  { kind, message }: Trouble,
  known: Parameters<typeof sayRules>[0] & Parameters<typeof sayWhatHolds>[0],
) {
  if (kind === "redis")
    return {
      title: `Redis does not answer: ${sayWhatHolds(known)}`,
      rest: `${sayRules(known)} Changes are possible again when Redis answers. What you typed is kept. The page resumes automatically.`,
    };
  if (kind === "updated")
    return {
      title: "The console was updated while this page was open",
      rest: "Enforcement continues. Finish what you are typing, then reload the page.",
    };
  const isSilent = kind === "console";
  return {
    title: `The console ${isSilent ? "does not answer" : "fails"}. Enforcement does not depend on it`,
    rest: `${isSilent ? "" : `${message} `}Nodes read from Redis, not from the console. What you typed is kept. The page resumes automatically.`,
  };
}
