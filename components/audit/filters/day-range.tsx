"use client";

import { Input } from "@/components/ui/input.tsx";
import type { ChangeUrl } from "./use-audit-url.ts";

interface DayRangeProps {
  readonly from: string;
  readonly to: string;
  readonly onChange: ChangeUrl;
}

/** Days in UTC, both of them whole. */
export function DayRange({ from, to, onChange }: DayRangeProps) {
  return (
    <span className="flex items-center gap-1.5 text-cell text-text-3 max-sm:w-full">
      <Input
        type="date"
        aria-label="First day, UTC"
        value={from}
        max={to || undefined}
        onChange={({ target }) => onChange({ from: target.value }, true)}
        className="max-sm:flex-1"
      />
      to
      <Input
        type="date"
        aria-label="Last day, UTC"
        value={to}
        min={from || undefined}
        onChange={({ target }) => onChange({ to: target.value }, true)}
        className="max-sm:flex-1"
      />
    </span>
  );
}
