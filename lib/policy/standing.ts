import type { Level } from "./levels.ts";

/** What a policy asks of a customer. */
export interface Standing {
  /** Also one that the policy may not know. */
  readonly tier: string | undefined;
  /** The customer's own levels. Customers with equal ones share one list, so that they can share a plan. */
  readonly override: readonly Level[] | undefined;
}
