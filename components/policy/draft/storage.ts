import { isFields } from "./document.ts";
import { type Draft, isFormPolicy } from "./draft.ts";

const name = "sluice.draft.policy";

export function keptDraft(): Draft | null {
  return readDraft(sessionStorage.getItem(name));
}

/** Stores the draft for this tab. Storage may be disabled or full. */
export function keepDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(draft));
  } catch {
    sessionStorage.removeItem(name);
  }
}

export function forgetDraft(): void {
  sessionStorage.removeItem(name);
}

/** Null if there is no draft, or it cannot be read. */
export function readDraft(stored: string | null): Draft | null {
  try {
    const read: unknown = JSON.parse(stored ?? "null");
    if (!isFields(read)) return null;
    const { basedOn, base, policy, text } = read;
    if (typeof basedOn !== "number" || !isFormPolicy(base) || !isFormPolicy(policy)) return null;
    return { basedOn, base, policy, text: typeof text === "string" ? text : null };
  } catch {
    return null;
  }
}
