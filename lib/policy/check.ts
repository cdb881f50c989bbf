import { type Problem, problemsOf, refusal } from "./problems.ts";
import { type Policy, policySchema } from "./schema.ts";

export type Checked =
  | { readonly ok: true; readonly policy: Policy }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Everything that is wrong with a policy, one sentence a field. */
export function checkPolicy(given: unknown): Checked {
  const parsed = policySchema.safeParse(given);
  if (parsed.success) return { ok: true, policy: parsed.data };
  return { ok: false, problems: problemsOf(parsed.error, "policy") };
}

/** The policy, or a refusal that names each field. */
export function requirePolicy(given: unknown): Policy {
  const checked = checkPolicy(given);
  if (checked.ok) return checked.policy;
  throw refusal("The policy was not saved", checked.problems);
}
