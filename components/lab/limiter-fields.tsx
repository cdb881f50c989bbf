import { periodText } from "@/components/charts/lab-text.ts";
import { Field } from "@/components/ui/field.tsx";
import { Select } from "@/components/ui/select.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { algorithms, isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import { Parameter } from "./parameter.tsx";
import { algorithmName } from "./run/algorithm-names.ts";
import { type Limiter, limitBounds, periodBounds, recounted } from "./run/run.ts";
import { decadeStops, timeStops } from "./run/stops.ts";

export interface LimiterFieldsProps {
  name: string;
  limiter: Limiter;
  onChange: (limiter: Limiter) => void;
}

const options = algorithms.map((value) => ({ value, label: algorithmName(value) }));

/** One of the two limiters: how it counts, and its numbers. */
export function LimiterFields({ name, limiter, onChange }: LimiterFieldsProps) {
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
