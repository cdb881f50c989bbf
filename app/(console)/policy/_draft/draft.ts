import { checkPolicy } from "../../../../lib/policy/check.ts";
import { diffPolicies } from "../../../../lib/policy/diff.ts";
import type { Problem } from "../../../../lib/policy/problems.ts";
import type { Policy } from "../../../../lib/policy/schema.ts";
import { isFields } from "./document.ts";

/** A rule while somebody types: its fields may hold anything. */
export type FormRule = Readonly<Record<string, unknown>>;

/** What forms can show. Whether it is a policy is another question. */
export interface FormPolicy {
  readonly [field: string]: unknown;
  readonly rules: readonly FormRule[];
  readonly tiers: Readonly<Record<string, FormRule>>;
}

export interface Draft {
  readonly basedOn: number;
  readonly base: FormPolicy;
  /** What the forms show. */
  readonly policy: FormPolicy;
  /** As it was typed as JSON; null when the forms were used last. */
  readonly text: string | null;
}

export function isFormPolicy(value: unknown): value is FormPolicy {
  return (
    isFields(value) &&
    Array.isArray(value.rules) &&
    value.rules.every(isFields) &&
    isFields(value.tiers) &&
    Object.values(value.tiers).every(isFields)
  );
}

export function begin(basedOn: number, base: FormPolicy): Draft {
  return { basedOn, base, policy: base, text: null };
}

/** A change by a form. Text that says something else is never lost: then forms change nothing. */
export function withPolicy(draft: Draft, change: (policy: FormPolicy) => FormPolicy): Draft {
  return isLocked(draft) ? draft : { ...draft, policy: change(draft.policy), text: null };
}

/** The text is kept as it is typed. The forms follow as soon as they can show what it says. */
export function withText(draft: Draft, text: string): Draft {
  const value = readJson(text).value;
  return { ...draft, text, policy: isFormPolicy(value) ? value : draft.policy };
}

export function textOf({ text, policy }: Draft): string {
  return text ?? JSON.stringify(policy, null, 2);
}

/** The JSON view holds what the forms cannot show. */
export function isLocked({ text }: Draft): boolean {
  return text !== null && !isFormPolicy(readJson(text).value);
}

export interface Standing {
  readonly problems: readonly Problem[];
  /** In words; empty while there are problems. */
  readonly changes: readonly string[];
  readonly isEdited: boolean;
  readonly isLocked: boolean;
  /** What would be published. */
  readonly wished: Policy | undefined;
}

/** What has become of a draft. */
export function standingOf(draft: Draft): Standing {
  const { value, problem } = draft.text === null ? { value: draft.policy } : readJson(draft.text);
  const checked = problem === undefined ? checkPolicy(value) : undefined;
  const locked = isLocked(draft);
  if (!checked?.ok) {
    const problems = checked?.problems ?? [{ path: "JSON", message: problem ?? "" }];
    return { problems, changes: [], isEdited: isOther(draft), isLocked: locked, wished: undefined };
  }
  const base = checkPolicy(draft.base);
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
