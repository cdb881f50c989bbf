"use client";

import { Eye } from "lucide-react";
import { memo, useDeferredValue, useMemo } from "react";
import { momentText } from "@/components/charts/lab-text.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { mostArrivals } from "@/lib/enforce/limits/traffic.ts";
import { CopyLink } from "./copy-link.tsx";
import { FiguresCard } from "./figures-card.tsx";
import { LimiterCard } from "./limiter-card.tsx";
import { ParametersCard } from "./parameters-card.tsx";
import { PresetChips } from "./preset-chips.tsx";
import { algorithmName } from "./run/algorithm-names.ts";
import { compare } from "./run/compare.ts";
import type { Run } from "./run/run.ts";
import { useRun } from "./run/use-run.ts";
import { SettlingCards } from "./settling-cards.tsx";

/** Two limiters, the same requests. Everything is reckoned in the browser. */
export function Lab({ mayWriteRules }: { mayWriteRules: boolean }) {
  const { run, unread, change } = useRun();
  // Sliders stay ahead of the charts.
  const shown = useDeferredValue(run);
  return (
    <div className="flex flex-col gap-3">
      <PageHeader
        title="Lab"
        facts={
          <>
            <Badge tone="shadow" icon={<Eye />} isLarge>
              Simulation. Nothing is enforced
            </Badge>
            <span>
              {algorithmName(run.a.algorithm)} against {algorithmName(run.b.algorithm)}, same requests
            </span>
          </>
        }
        actions={<CopyLink run={run} />}
      />
      {unread.length > 0 && (
        <Banner tone="plain" title="Part of the link is not valid">
          Of {unread.join(", ")} the default value is shown instead.
        </Banner>
      )}
      <PresetChips run={run} change={change} />
      <div className="grid grid-cols-[300px_minmax(0,1fr)] items-start gap-3 max-lg:grid-cols-1">
        <ParametersCard run={run} change={change} mayWriteRules={mayWriteRules} />
        <Results run={shown} change={change} />
      </div>
    </div>
  );
}

interface ResultsProps {
  run: Run;
  change: (wish: Partial<Run>) => void;
}

/** On a phone, results are above the parameters. */
const Results = memo(({ run, change }: ResultsProps) => {
  const comparison = useMemo(() => compare(run), [run]);
  const { a, b, cutShortAtSeconds } = comparison;
  return (
    <div className="grid min-w-0 grid-cols-2 gap-3 max-lg:order-first max-sm:grid-cols-1">
      <LimiterCard side="A" outcome={a} comparison={comparison} />
      <LimiterCard side="B" outcome={b} comparison={comparison} />
      {cutShortAtSeconds !== undefined && (
        <div className="col-span-full">
          <Banner tone="plain" title={`Only the first ${countText(mostArrivals)} requests are simulated`}>
            The last one is at {momentText(cutShortAtSeconds)}. Later requests are left out.
          </Banner>
        </div>
      )}
      <SettlingCards run={run} change={change} />
      <FiguresCard comparison={comparison} run={run} />
    </div>
  );
});
