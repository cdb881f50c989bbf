import type { ListName } from "../../../../lib/redis/keys.ts";
import { aWeek, type Expiry, isPreset, isUnit } from "./expiry.ts";

/** What somebody has typed and not sent. It outlives an error, a sign-in and a reload of the tab. */
export interface Draft {
  readonly text: string;
  readonly expiry: Expiry;
  readonly reason: string;
}

export const emptyDraft: Draft = { text: "", expiry: aWeek, reason: "" };

export function draftKey(list: ListName): string {
  return `sluice.draft.${list}`;
}

/** Whatever cannot be read is as if nothing had been typed. */
export function readDraft(stored: string | null): Draft {
  const { text = "", reason = "", preset = "", amount = aWeek.amount, unit = "" } = fieldsOf(stored);
  const expiry = {
    preset: isPreset(preset) ? preset : aWeek.preset,
    amount,
    unit: isUnit(unit) ? unit : aWeek.unit,
  };
  return { text, reason, expiry };
}

export function writeDraft({ text, expiry, reason }: Draft): string {
  return JSON.stringify({ text, reason, ...expiry });
}

function fieldsOf(stored: string | null): Partial<Record<string, string>> {
  try {
    const read: unknown = JSON.parse(stored ?? "{}");
    if (typeof read !== "object" || read === null) return {};
    return Object.fromEntries(Object.entries(read).filter(([, value]) => typeof value === "string"));
  } catch {
    return {};
  }
}
