import type { Parsed } from "../../../../lib/ip/parse.ts";
import { lifeProblem } from "../../../../lib/lists/duration.ts";

export const presets = ["1h", "24h", "1w", "custom", "never"] as const;
export type Preset = (typeof presets)[number];

const hourMs = 3_600_000;
export const unitMs = { m: 60_000, h: hourMs, d: 24 * hourMs, w: 168 * hourMs } as const;
export type Unit = keyof typeof unitMs;
export const unitNames: Readonly<Record<Unit, string>> = { m: "minutes", h: "hours", d: "days", w: "weeks" };

/** How long new entries live, as somebody chose or is typing it. */
export interface Expiry {
  readonly preset: Preset;
  /** Of a custom life: as it was typed. */
  readonly amount: string;
  readonly unit: Unit;
}

export const aWeek: Expiry = { preset: "1w", amount: "2", unit: "d" };

/** In ms; null for never. */
export function ttlOf({ preset, amount, unit }: Expiry): Parsed<number | null> {
  if (preset === "never") return { ok: true, value: null };
  if (preset === "1h") return { ok: true, value: hourMs };
  if (preset === "24h") return { ok: true, value: 24 * hourMs };
  if (preset === "1w") return { ok: true, value: unitMs.w };
  if (!/^\d{1,9}$/.test(amount.trim())) return { ok: false, reason: "Write a whole number, such as 36" };
  const ttlMs = Number(amount) * unitMs[unit];
  const problem = lifeProblem(ttlMs);
  return problem ? { ok: false, reason: problem } : { ok: true, value: ttlMs };
}

export function isUnit(text: string): text is Unit {
  return Object.hasOwn(unitMs, text);
}

export function isPreset(text: string): text is Preset {
  return presets.some((preset) => preset === text);
}
