import type { Problem } from "@/lib/enforce/policy/bounds.ts";
import { checkPolicy, type Policy } from "@/lib/enforce/policy/schema.ts";
import { attackSet } from "@/lib/enforce/policy/timed.ts";
import { diffPolicies } from "@/lib/observe/policy/diff.ts";
import { isFields, type Path, withValue } from "./document.ts";

/** A rule while it is edited. Its fields may hold any value. */
export type FormRule = Readonly<Record<string, unknown>>;

/** A policy that forms can show. It may be invalid. */
export interface FormPolicy {
  readonly [field: string]: unknown;
  readonly rules: readonly FormRule[];
  readonly requestRules?: readonly FormRule[] | undefined;
  readonly tiers: Readonly<Record<string, FormRule>>;
  readonly attack?: { readonly rules: readonly FormRule[] } | undefined;
}

export interface Draft {
  readonly basedOn: number;
  readonly base: FormPolicy;
  /** The policy that the forms show. */
  readonly policy: FormPolicy;
  /** Text of the JSON view. Null if the forms were used last. */
  readonly text: string | null;
}

export function isFormPolicy(value: unknown): value is FormPolicy {
  return (
    isFields(value) &&
    Array.isArray(value.rules) &&
    value.rules.every(isFields) &&
    (value.requestRules === undefined ||
      (Array.isArray(value.requestRules) && value.requestRules.every(isFields))) &&
    isFields(value.tiers) &&
    Object.values(value.tiers).every(isFields) &&
    (value.attack === undefined || isFormAttack(value.attack))
  );
}

function isFormAttack(value: unknown): boolean {
  return isFields(value) && Array.isArray(value.rules) && value.rules.every(isFields);
}

/** What attack mode adds: the rules that the policy has prepared, or those of a fresh install. */
export function attackRulesOf({ attack }: FormPolicy): readonly FormRule[] {
  return attack?.rules ?? attackSet(undefined);
}

export function begin(basedOn: number, base: FormPolicy): Draft {
  return { basedOn, base, policy: base, text: null };
}

/** The policy with one place changed. Unchanged if forms could not show the result. */
export function withPlace(policy: FormPolicy, path: Path, value: unknown): FormPolicy {
  const next = withValue(policy, path, value);
  return isFormPolicy(next) ? next : policy;
}

/** A change by a form. Changes nothing while the JSON view holds text that forms cannot show, so that the text is not lost. */
export function withPolicy(draft: Draft, change: (policy: FormPolicy) => FormPolicy): Draft {
  return isLocked(draft) ? draft : { ...draft, policy: change(draft.policy), text: null };
}

/** Keeps the text as typed. The forms follow once they can show it. */
export function withText(draft: Draft, text: string): Draft {
  const value = readJson(text).value;
  return { ...draft, text, policy: isFormPolicy(value) ? value : draft.policy };
}

export function textOf({ text, policy }: Draft): string {
  return text ?? JSON.stringify(policy, null, 2);
}

/** Whether the JSON view holds text that the forms cannot show. */
export function isLocked({ text }: Draft): boolean {
  return text !== null && !isFormPolicy(readJson(text).value);
}

export interface Standing {
  readonly problems: readonly Problem[];
  /** Changes as sentences. Empty while there are problems. */
  readonly changes: readonly string[];
  readonly isEdited: boolean;
  readonly isLocked: boolean;
  /** Policy to publish. Undefined while there are problems. */
  readonly wished: Policy | undefined;
}

/** State of a draft. */
export function standingOf(draft: Draft): Standing {
  const { value, problem } = draft.text === null ? { value: draft.policy } : readJson(draft.text);
  const checked = problem === undefined ? checkPolicy(value) : undefined;
  const locked = isLocked(draft);
  if (!checked?.ok) {
    const problems = checked?.problems ?? [{ path: "JSON", message: problem ?? "" }];
    return { problems, changes: [], isEdited: isOther(draft), isLocked: locked, wished: undefined };
  }
  const base = checkPolicy(draft.base, { isStored: true });
  const changes = base.ok ? diffPolicies(base.policy, checked.policy) : [];
  return { problems: [], changes, isEdited: changes.length > 0, isLocked: locked, wished: checked.policy };
}

function isOther(draft: Draft): boolean {
  return isLocked(draft) || JSON.stringify(draft.policy) !== JSON.stringify(draft.base);
}

function readJson(text: string): { readonly value?: unknown; readonly problem?: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : "this is not JSON" };
  }
}

const name = "sluice.draft.policy";

export function keptDraft(): Draft | null {
  return readDraft(sessionStorage.getItem(name));
}

/** Stores the draft for this tab, or removes it. */
export function keepDraft(draft: Draft | null): void {
  sessionStorage.removeItem(name);
  try {
    if (draft) sessionStorage.setItem(name, JSON.stringify(draft));
  } catch {
    // Storage is disabled or full. No earlier draft stays instead.
  }
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
