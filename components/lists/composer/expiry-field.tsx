import { useId } from "react";
import { endInWords } from "@/components/console/time-words.ts";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useNow } from "@/components/ui/now.ts";
import { Segmented } from "@/components/ui/segmented.tsx";
import { Select } from "@/components/ui/select.tsx";
import { type Expiry, type Preset, presets, ttlOf, type Unit, unitNames } from "./expiry.ts";

const names: Readonly<Record<Preset, string>> = {
  "1h": "1h",
  "24h": "24h",
  "1w": "1w",
  custom: "Custom",
  never: "Never",
};
const units: readonly Unit[] = ["m", "h", "d", "w"];

interface ExpiryFieldProps {
  readonly expiry: Expiry;
  readonly mayForever: boolean;
  readonly onChange: (expiry: Expiry) => void;
}

/** Duration of new entries, and when they expire. */
export function ExpiryField({ expiry, mayForever, onChange }: ExpiryFieldProps) {
  const offered = presets.filter((preset) => preset !== "never" || mayForever);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-end gap-x-2.5 gap-y-1.5">
        <Field label="Expires after">
          <Segmented
            label="Expires after"
            value={expiry.preset}
            onChange={(preset) => onChange({ ...expiry, preset })}
            options={offered.map((value) => ({ value, label: names[value] }))}
          />
        </Field>
        <Moment expiry={expiry} mayForever={mayForever} />
      </div>
      {expiry.preset === "custom" && <CustomLife {...{ expiry, mayForever, onChange }} />}
    </div>
  );
}

function CustomLife({ expiry, mayForever, onChange }: ExpiryFieldProps) {
  const ttl = ttlOf(expiry, mayForever);
  const errorId = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-end gap-2">
        <Field label="How many" hint={mayForever ? undefined : "up to 90 days"} className="w-40">
          <Input
            value={expiry.amount}
            inputMode="numeric"
            isInvalid={!ttl.ok}
            aria-describedby={ttl.ok ? undefined : errorId}
            onChange={(event) => onChange({ ...expiry, amount: event.target.value })}
          />
        </Field>
        <Field label="Unit">
          <Select
            label="Unit"
            value={expiry.unit}
            onChange={(unit) => onChange({ ...expiry, unit })}
            options={units.map((value) => ({ value, label: unitNames[value] }))}
          />
        </Field>
      </div>
      {!ttl.ok && (
        <p id={errorId} role="alert" className="text-cell text-blocked">
          {`${ttl.reason}.`}
        </p>
      )}
    </div>
  );
}

function Moment({ expiry, mayForever }: Pick<ExpiryFieldProps, "expiry" | "mayForever">) {
  const now = useNow();
  const ttl = ttlOf(expiry, mayForever);
  if (!ttl.ok || ttl.value === null) return null;
  return (
    <span suppressHydrationWarning className="pb-1.5 text-cell whitespace-nowrap text-text-3">
      {endInWords(now + ttl.value, now)}
    </span>
  );
}
