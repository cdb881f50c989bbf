"use client";

import { DatabaseZap, RotateCcw, Unplug } from "lucide-react";
import { useTransition } from "react";
import type { Trouble } from "@/components/console/standing.ts";
import { useStanding } from "@/components/console/status.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { useNow } from "@/components/ui/now.ts";
import { clockText, countText, durationText } from "@/components/ui/value-text.ts";
import type { Status } from "@/lib/queries/status.ts";

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

type Rule = Status["rules"][number];

const doing: Readonly<Record<Rule["onStoreError"], readonly [one: string, many: string]>> = {
  open: ["is not enforced", "are not enforced"],
  closed: ["denies every request", "deny every request"],
  model: ["counts on each node separately", "count on each node separately"],
};

/** What is still enforced while Redis is away. Part of a sentence. */
export function sayWhatHolds(known: Pick<Status, "mode" | "counts"> | undefined): string {
  if (known?.mode === "off") return "the mode is off, so nothing was enforced before either";
  const counts = known?.counts;
  if (!counts) return "each node enforces both lists from its own copy";
  return `each node enforces both lists from its own copy, ${countText(counts.blocklist)} blocked and ${countText(counts.safelist)} safelisted`;
}

/** What the rules do while their counters are unavailable. */
export function sayRules(known: Pick<Status, "mode" | "rules"> | undefined): string {
  if (!known) return "Each rule follows its onStoreError setting.";
  const enforced = known.mode === "enforce" ? known.rules.filter(({ mode }) => mode === "enforce") : [];
  if (enforced.length === 0) return "No rule was enforced.";
  const parts = (["open", "closed", "model"] as const).flatMap((choice) => {
    const count = enforced.filter(({ onStoreError }) => onStoreError === choice).length;
    return count === 0
      ? []
      : [`${count} ${count === 1 ? "rule" : "rules"} ${doing[choice][count === 1 ? 0 : 1]}`];
  });
  return `Without counters, ${joined(parts)}.`;
}

function joined(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${last}` : last;
}
