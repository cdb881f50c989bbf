"use client";

import { Undo2 } from "lucide-react";
import { useState } from "react";
import { periodText } from "@/components/charts/lab-text.ts";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Field } from "@/components/ui/field.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { Select } from "@/components/ui/select.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { algorithms, isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import { Parameter } from "./parameter.tsx";
import { PhasesEditor } from "./phases-editor.tsx";
import { draftHref } from "./run/draft.ts";
import {
  algorithmName,
  type Limiter,
  limitBounds,
  periodBounds,
  presets,
  type Run,
  type RunProps,
  recounted,
  type Side,
  sides,
  usualPreset,
  weightBounds,
} from "./run/run.ts";
import { decadeStops, evenStops, timeStops } from "./run/stops.ts";

export function ParametersCard({ run, change, mayWriteRules }: RunProps & { mayWriteRules: boolean }) {
  return (
    <Card
      title="Parameters"
      isFlush
      actions={
        <Button variant="ghost" icon={<Undo2 />} onClick={() => change(presets[usualPreset])}>
          Reset
        </Button>
      }
    >
      <div className="divide-y divide-border [&>*]:p-3.5 [&>*:first-child]:pt-0.5">
        <div>
          <LimiterFields name="Limiter A" limiter={run.a} onChange={(a) => change({ a })} />
        </div>
        <div>
          <LimiterFields name="Limiter B" limiter={run.b} onChange={(b) => change({ b })} />
        </div>
        <div>
          <PhasesEditor run={run} change={change} />
        </div>
        <div>
          <OverageFields run={run} change={change} />
        </div>
        <div>
          <UseInRule run={run} mayWriteRules={mayWriteRules} />
        </div>
      </div>
    </Card>
  );
}

interface LimiterFieldsProps {
  name: string;
  limiter: Limiter;
  onChange: (limiter: Limiter) => void;
}

/** How long requests take is no part of the traffic here. */
const compared = algorithms.filter((algorithm) => algorithm !== "concurrent");
const options = compared.map((value) => ({ value, label: algorithmName(value) }));

/** One of the two limiters: how it counts, and its numbers. */
function LimiterFields({ name, limiter, onChange }: LimiterFieldsProps) {
  const { algorithm, limit, periodSeconds } = limiter;
  const limits = limitBounds(algorithm);
  const periods = periodBounds(algorithm);
  const isEstimate = isRate(algorithm);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be on the line of the field.
    <div role="group" aria-label={name} className="flex flex-col gap-1.5">
      <Field label={name}>
        <Select
          label={name}
          value={algorithm}
          onChange={(wish) => onChange(recounted(limiter, wish))}
          options={options}
          className="w-full"
        />
      </Field>
      <Parameter
        label="Limit"
        value={limit}
        bounds={limits}
        stops={decadeStops(limits)}
        unit={isEstimate ? "/s" : ""}
        text={isEstimate ? rateText : countText}
        onChange={(wish) => onChange({ ...limiter, limit: wish })}
      />
      <Parameter
        label={isEstimate ? "Half-life" : "Period"}
        value={periodSeconds}
        bounds={periods}
        stops={timeStops(periods)}
        unit="s"
        text={periodText}
        onChange={(wish) => onChange({ ...limiter, periodSeconds: wish })}
      />
    </div>
  );
}

const rateText = (value: number): string => `${value}/s`;

const stops = evenStops(weightBounds, 20);

/** Weight of a denied request for EARRRL: whether a client that keeps trying stays denied. */
function OverageFields({ run: { a, b, overageWeight }, change }: RunProps) {
  const isUsed = isRate(a.algorithm) || isRate(b.algorithm);
  const doCount = overageWeight > 0;
  return (
    <section aria-label="Denied requests" className="flex flex-col gap-2.5">
      <div className="flex items-center justify-between gap-3">
        <div>
          <h3 className="text-body font-semibold">Denied requests count</h3>
          <p className="text-cell text-text-3">
            {isUsed ? weightText(overageWeight) : "windows never count them"}
          </p>
        </div>
        <button
          type="button"
          role="switch"
          aria-checked={isUsed && doCount}
          aria-label="Denied requests count"
          disabled={!isUsed}
          onClick={() => change({ overageWeight: doCount ? 0 : 1 })}
          className="group grid h-6 w-9 shrink-0 place-items-center rounded-full disabled:opacity-50 max-sm:h-11 max-sm:w-11"
        >
          <span className="flex h-5 w-9 items-center rounded-full border border-control bg-track p-0.5 transition-colors group-aria-checked:border-inv group-aria-checked:bg-inv">
            <span className="size-3.5 rounded-full bg-control transition-transform group-aria-checked:translate-x-4 group-aria-checked:bg-surface" />
          </span>
        </button>
      </div>
      {isUsed && (
        <Parameter
          label="Weight"
          value={overageWeight}
          bounds={weightBounds}
          stops={stops}
          unit=""
          text={String}
          onChange={(wish) => change({ overageWeight: wish })}
        />
      )}
    </section>
  );
}

function weightText(weight: number): string {
  if (weight === 1) return "for EARRRL, as much as any other";
  return weight === 0 ? "not for EARRRL either" : `for EARRRL, ${weight} of a request each`;
}

const words = "Use these parameters in a rule";

/** Opens a draft of a rule. Nothing is saved until an admin saves it there. */
function UseInRule({ run, mayWriteRules }: { run: Run; mayWriteRules: boolean }) {
  const [side, setSide] = useState<Side>("b");
  return (
    <section aria-label={words} className="flex flex-col gap-2">
      <Segmented
        label="Limiter to use in a rule"
        value={side}
        onChange={setSide}
        options={sides.map((value) => ({
          value,
          label: `${value.toUpperCase()} · ${algorithmName(run[value].algorithm)}`,
        }))}
        className="w-full! flex-wrap"
      />
      {mayWriteRules ? (
        <LinkButton variant="primary" size="lg" href={draftHref(run[side], run.overageWeight)}>
          {words}
        </LinkButton>
      ) : (
        <Button variant="primary" size="lg" disabledReason="Only admins can change the policy">
          {words}
        </Button>
      )}
    </section>
  );
}
