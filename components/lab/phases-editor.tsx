"use client";

import { Plus, Shuffle, X } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { type Phase, secondsOf } from "@/lib/enforce/limits/traffic.ts";
import { NumberField, Slider } from "./parameter.tsx";
import { mostPhases, phaseRateBounds, phaseSecondsBounds, type RunProps, seedBounds } from "./run/run.ts";
import { decadeStops } from "./run/stops.ts";

const rateStops = [0, ...decadeStops({ ...phaseRateBounds, least: 0.01 })];

/** What the client does, phase after phase. */
export function PhasesEditor({ run: { phases, seed }, change }: RunProps) {
  const put = (index: number, wish: Partial<Phase>) =>
    change({ phases: phases.map((phase, i) => (i === index ? { ...phase, ...wish } : phase)) });
  const add = () => change({ phases: [...phases, phases.at(-1) ?? { seconds: 60, perSecond: 1 }] });
  const remove = (index: number) => change({ phases: phases.filter((_, i) => i !== index) });
  const isFull = phases.length >= mostPhases;
  return (
    <section aria-label="Request phases" className="flex flex-col gap-2.5">
      <div className="flex items-center justify-between">
        <h3 className="text-body font-semibold">Request phases</h3>
        <Button
          icon={<Plus />}
          onClick={add}
          disabledReason={isFull ? `At most ${mostPhases} phases` : undefined}
        >
          Add
        </Button>
      </div>
      <ol className="flex flex-col gap-1.5">
        {phases.map((phase, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a phase is nothing but its place in the order.
          <li key={i}>
            <PhaseRow
              number={i + 1}
              phase={phase}
              put={(wish) => put(i, wish)}
              remove={phases.length > 1 ? () => remove(i) : undefined}
            />
          </li>
        ))}
      </ol>
      <TrafficShape phases={phases} />
      <div className="flex items-center gap-2">
        <Segmented
          label="Gaps between requests"
          size="sm"
          value={seed === undefined ? "even" : "random"}
          onChange={(wish) => change({ seed: wish === "even" ? undefined : 1 })}
          options={[
            { value: "even", label: "Evenly spaced" },
            { value: "random", label: "Random" },
          ]}
        />
        {seed !== undefined && (
          <IconButton
            label="Draw new random gaps"
            icon={<Shuffle />}
            onClick={() => change({ seed: (seed % seedBounds.most) + 1 })}
          />
        )}
      </div>
    </section>
  );
}

interface PhaseRowProps {
  number: number;
  phase: Phase;
  put: (wish: Partial<Phase>) => void;
  /** Nothing for the only one. */
  remove: (() => void) | undefined;
}

function PhaseRow({ number, phase: { seconds, perSecond }, put, remove }: PhaseRowProps) {
  return (
    <div className="flex items-center gap-1.5">
      <span aria-hidden="true" className="w-3 text-cell text-text-3">
        {number}
      </span>
      <NumberField
        label={`Phase ${number}, seconds`}
        value={seconds}
        bounds={phaseSecondsBounds}
        unit="s"
        onChange={(wish) => put({ seconds: wish })}
        className="w-16 shrink-0 max-sm:w-22"
      />
      <Slider
        label={`Phase ${number}, requests a second`}
        value={perSecond}
        stops={rateStops}
        text={(value) => `${value} a second`}
        onChange={(wish) => put({ perSecond: wish })}
      />
      <NumberField
        label={`Phase ${number}, requests a second, exactly`}
        value={perSecond}
        bounds={phaseRateBounds}
        unit="/s"
        onChange={(wish) => put({ perSecond: wish })}
        className="w-16 shrink-0 max-sm:w-22"
      />
      <IconButton
        label={`Remove phase ${number}`}
        icon={<X />}
        size="sm"
        disabled={!remove}
        onClick={remove}
      />
    </div>
  );
}

const width = 240;
const height = 44;

/** The phases as a line, with their numbers above. */
function TrafficShape({ phases }: { phases: readonly Phase[] }) {
  const all = secondsOf(phases);
  const top = Math.max(...phases.map(({ perSecond }) => perSecond)) || 1;
  let seconds = 0;
  const corners = phases.flatMap((phase) => {
    const y = height - 1 - (phase.perSecond / top) * (height - 4);
    const from = (seconds / all) * width;
    seconds += phase.seconds;
    return [`${from.toFixed(1)},${y.toFixed(1)}`, `${((seconds / all) * width).toFixed(1)},${y.toFixed(1)}`];
  });
  const line = corners.join(" ");
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="h-11 w-full"
    >
      <polygon points={`0,${height} ${line} ${width},${height}`} fill="var(--raised)" />
      <polyline
        points={line}
        fill="none"
        stroke="var(--text-2)"
        strokeWidth={1.25}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
