import { type Policy, type PolicyInput, requirePolicy } from "./schema.ts";

export type { Policy, PolicyInput, Rule } from "./schema.ts";

/**
 * A policy that is written in code, with its defaults filled in. Throws a DomainError that names what is wrong with it.
 *
 * @example
 * // policy.mjs, for: node policy.mjs | sluice policy set -
 * console.log(JSON.stringify(definePolicy({ mode: "enforce", rules: [ … ], tiers: {} })));
 */
export function definePolicy(policy: PolicyInput): Policy {
  return requirePolicy(policy);
}
