import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import { Parameter } from "./parameter.tsx";
import { type Run, weightBounds } from "./run/run.ts";
import { evenStops } from "./run/stops.ts";

export interface OverageFieldsProps {
  run: Run;
  change: (wish: Partial<Run>) => void;
}

const stops = evenStops(weightBounds, 20);

/** Weight of a denied request for EARRRL: whether a client that keeps trying stays denied. */
export function OverageFields({ run: { a, b, overageWeight }, change }: OverageFieldsProps) {
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
