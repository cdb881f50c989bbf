"use client";

import { DatabaseZap, RotateCcw, Unplug } from "lucide-react";
import { useTransition } from "react";
import { Banner } from "../ui/banner.tsx";
import { Button } from "../ui/button.tsx";
import { durationText } from "../ui/duration-text.ts";
import { useNow } from "../ui/now.ts";
import { clockText } from "./clock-text.ts";
import { sayRules, sayWhatHolds } from "./outage-words.ts";
import type { Trouble } from "./standing.ts";
import { useStanding } from "./status.tsx";

/** Says what is away, what still holds, and since when this page knows nothing new. */
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
      {words.rest} {known && `What is shown is of ${clockText(known.at)}.`}
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
      Load again
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
      rest: `${sayRules(known)} Nothing can be changed meanwhile; what you typed stays, and this page goes on by itself.`,
    };
  if (kind === "updated")
    return {
      title: "The console was updated while this page was open",
      rest: "Enforcement goes on. Finish what you are typing, then load the page again.",
    };
  const isSilent = kind === "console";
  return {
    title: `The console ${isSilent ? "does not answer" : "fails"}: enforcement does not need it`,
    rest: `${isSilent ? "" : `${message} `}Nodes ask Redis, not the console. What you typed stays, and this page goes on by itself.`,
  };
}
