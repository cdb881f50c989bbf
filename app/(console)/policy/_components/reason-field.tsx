"use client";

import { Field } from "../../../../components/ui/field.tsx";
import { Input } from "../../../../components/ui/input.tsx";

interface ReasonFieldProps {
  value: string;
  onChange: (reason: string) => void;
  /** Somebody tried without one. */
  isTried: boolean;
}

export function ReasonField({ value, onChange, isTried }: ReasonFieldProps) {
  const isMissing = isTried && value.trim() === "";
  return (
    <Field
      label="Reason"
      hint="required"
      error={isMissing ? "Write why: it stands beside the version." : undefined}
    >
      <Input value={value} maxLength={500} aria-required onChange={({ target }) => onChange(target.value)} />
    </Field>
  );
}
