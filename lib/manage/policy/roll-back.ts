import { isGood, listVersions, type PolicyInForce, readVersion } from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import type { Signed } from "../audit/record.ts";
import { type SavedPolicy, savePolicy } from "./save.ts";
import { checkBasis } from "./set.ts";

export interface RollBackInput {
  /** 0 is the policy of a fresh install. */
  readonly version: number;
  /** Refused when another version than this one is in force. */
  readonly basedOn?: number;
  readonly reason: string;
}

/** Publishes an earlier version, rules, tiers and mode, as the next version. */
export async function rollBackTo(
  ctx: Signed,
  { version, basedOn, reason }: RollBackInput,
): Promise<SavedPolicy> {
  const found = await readVersion(ctx.redis, version);
  if (found === undefined) throw await notKept(ctx, version);
  if (!isGood(found)) {
    throw new DomainError("bad-input", `Version ${version} cannot be rolled back to: ${found.problem}.`);
  }
  const make = (inForce: PolicyInForce) => {
    if (basedOn !== undefined) checkBasis(inForce, basedOn);
    return found.policy;
  };
  return savePolicy(ctx, { action: "policy.roll-back", reason, make });
}

async function notKept({ redis }: Signed, version: number): Promise<DomainError> {
  const kept = (await listVersions(redis)).map((one) => one.version);
  const range = kept.length > 0 ? `versions ${kept.at(-1)} to ${kept[0]} are kept` : "none is kept";
  return new DomainError(
    "not-found",
    `There is no version ${version}: ${range}, and 0, the one of a fresh install.`,
  );
}
