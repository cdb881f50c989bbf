import { checkPolicy } from "./check.ts";
import { defaultPolicy } from "./defaults.ts";
import { sayProblems } from "./problems.ts";
import type { Policy } from "./schema.ts";

/** A policy as it was saved. Version 0 is that of a fresh install, which nobody saved. */
export interface StoredPolicy {
  readonly version: number;
  /** ISO, by Redis' clock. */
  readonly at?: string;
  readonly by?: string;
  readonly reason: string;
  readonly policy: Policy;
}

export type ParsedPolicy =
  | { readonly ok: true; readonly stored: StoredPolicy }
  | { readonly ok: false; readonly problem: string };

export const freshInstall: StoredPolicy = {
  version: 0,
  reason: "what a fresh install begins with",
  policy: defaultPolicy,
};

export function writePolicy({ version, at, by, reason, policy }: Required<StoredPolicy>): string {
  return JSON.stringify({ version, at, by, reason, policy });
}

/** Reads what stands in Redis, which anybody may have written. */
export function parsePolicy(text: string): ParsedPolicy {
  const { version, at, by, reason, policy } = parseObject(text) ?? {};
  if (policy === undefined) return { ok: false, problem: "it is not a policy that Sluice wrote" };
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1)
    return { ok: false, problem: "it has no version" };
  const checked = checkPolicy(policy);
  if (!checked.ok) return { ok: false, problem: sayProblems(checked.problems) };
  const stored = {
    version,
    ...(typeof at === "string" && { at }),
    ...(typeof by === "string" && { by }),
    reason: typeof reason === "string" ? reason : "",
    policy: checked.policy,
  };
  return { ok: true, stored };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
