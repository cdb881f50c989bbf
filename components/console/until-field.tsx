"use client";

import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useNow } from "@/components/ui/now.ts";
import { Select } from "@/components/ui/select.tsx";
import { chosen, readUntil, type Until, untilOptions } from "./until.ts";

interface UntilFieldProps {
  label: string;
  until: Until;
  onChange: (until: Until) => void;
  isDisabled?: boolean | undefined;
}

/** How long a change lasts: permanently, for a time, or until a moment. */
export function UntilField({ label, until, onChange, isDisabled }: UntilFieldProps) {
  const now = useNow();
  const read = readUntil(until, now);
  return (
    <div className="flex flex-wrap gap-3">
      <Field label={label}>
        <Select
          label={label}
          value={until.choice}
          onChange={(choice) => onChange(chosen(choice, until, now))}
          options={untilOptions}
          isDisabled={isDisabled}
        />
      </Field>
      {until.choice === "date" && (
        <Field label="Day and time" hint="UTC" error={read.ok ? undefined : `${read.problem}.`}>
          <Input
            type="datetime-local"
            value={until.text}
            disabled={isDisabled}
            onChange={({ target }) => onChange({ choice: "date", text: target.value })}
          />
        </Field>
      )}
    </div>
  );
}
