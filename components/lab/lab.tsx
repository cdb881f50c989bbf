"use client";

import { Eye, Link2 } from "lucide-react";
import { usePathname } from "next/navigation";
import { memo, useDeferredValue, useMemo } from "react";
import { momentText } from "@/components/charts/lab-text.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Chip } from "@/components/ui/chip.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { mostArrivals } from "@/lib/enforce/limits/traffic.ts";
import { FiguresCard, LimiterCard } from "./comparison-cards.tsx";
import { ParametersCard } from "./parameters-card.tsx";
import { compare } from "./run/compare.ts";
import {
  algorithmName,
  isPresetName,
  presets,
  presetWords,
  type Run,
  type RunProps,
  sides,
} from "./run/run.ts";
import { presetOf, writeRun } from "./run/run-url.ts";
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

/** On a phone, results are above the parameters. */
const Results = memo(({ run, change }: RunProps) => {
  const comparison = useMemo(() => compare(run), [run]);
  const { cutShortAtSeconds } = comparison;
  return (
    <div className="grid min-w-0 grid-cols-2 gap-3 max-lg:order-first max-sm:grid-cols-1">
      {sides.map((side) => (
        <LimiterCard key={side} side={side} comparison={comparison} />
      ))}
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

/** Runs to start from. The one that is on screen unchanged is marked. */
function PresetChips({ run, change }: RunProps) {
  const chosen = presetOf(run);
  const names = Object.keys(presetWords).filter(isPresetName);
  return (
    <section aria-label="Start from" className="flex flex-wrap items-center gap-1.5">
      <span className="mr-1 text-cell text-text-2 max-sm:w-full">Start from</span>
      {names.map((name) => (
        <Chip key={name} isOn={name === chosen} onClick={() => change(presets[name])}>
          {presetWords[name]}
        </Chip>
      ))}
    </section>
  );
}

function CopyLink({ run }: { run: Run }) {
  const toast = useToast();
  const pathname = usePathname();
  const copy = async () => {
    const href = new URL(`${pathname}${writeRun(run)}`, location.origin).href;
    // Over plain http there is no clipboard.
    const isDone = await navigator.clipboard?.writeText(href).then(
      () => true,
      () => false,
    );
    if (isDone) toast({ tone: "plain", title: "Copied the link to this run" });
    else
      toast({
        tone: "plain",
        title: "Failed to copy",
        detail: "Copy the link from the address bar.",
      });
  };
  return (
    <Button size="lg" icon={<Link2 />} onClick={() => void copy()}>
      Copy link to this run
    </Button>
  );
}
