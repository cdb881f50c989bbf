"use client";

import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";

interface ReasonFieldProps {
  value: string;
  onChange: (reason: string) => void;
  /** Whether the user tried to submit without a reason. */
  isTried: boolean;
}

export function ReasonField({ value, onChange, isTried }: ReasonFieldProps) {
  const isMissing = isTried && value.trim() === "";
  return (
    <Field
      label="Reason"
      hint="required"
      error={isMissing ? "Enter a reason. It is shown with the version." : undefined}
    >
      <Input value={value} maxLength={500} aria-required onChange={({ target }) => onChange(target.value)} />
    </Field>
  );
}
