import { lifeProblem, longestOfStaffMs, staffLimit } from "@/lib/enforce/lists/entry.ts";
import type { Parsed } from "@/lib/ip/parse.ts";

export const presets = ["1h", "24h", "1w", "custom", "never"] as const;
export type Preset = (typeof presets)[number];

const hourMs = 3_600_000;
export const unitMs = { m: 60_000, h: hourMs, d: 24 * hourMs, w: 168 * hourMs } as const;
export type Unit = keyof typeof unitMs;
const presetMs = { "1h": hourMs, "24h": unitMs.d, "1w": unitMs.w, never: null };
export const unitNames: Readonly<Record<Unit, string>> = { m: "minutes", h: "hours", d: "days", w: "weeks" };

/** Duration of new entries, as chosen or typed. */
export interface Expiry {
  readonly preset: Preset;
  /** Amount of a custom duration, as typed. */
  readonly amount: string;
  readonly unit: Unit;
}

export const aWeek: Expiry = { preset: "1w", amount: "2", unit: "d" };

/** Duration in ms; null for never. @param mayForever allows any duration, also one longer than the limit for staff */
export function ttlOf({ preset, amount, unit }: Expiry, mayForever: boolean): Parsed<number | null> {
  if (preset !== "custom") return { ok: true, value: presetMs[preset] };
  if (!/^\d{1,9}$/.test(amount.trim())) return { ok: false, reason: "Enter a whole number, such as 36" };
  const ttlMs = Number(amount) * unitMs[unit];
  const isTooLong = !mayForever && ttlMs > longestOfStaffMs;
  const problem = isTooLong ? staffLimit : lifeProblem(ttlMs);
  return problem ? { ok: false, reason: problem } : { ok: true, value: ttlMs };
}

export function isUnit(text: string): text is Unit {
  return Object.hasOwn(unitMs, text);
}

export function isPreset(text: string): text is Preset {
  return presets.some((preset) => preset === text);
}
