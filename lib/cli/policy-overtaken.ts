import { DomainError } from "../errors.ts";
import { diffPolicies } from "../policy/diff.ts";
import { isGood, readPolicy, readVersion } from "../policy/versions.ts";
import type { Connection } from "../redis/connect.ts";
import { sayDifference } from "./policy-saved.ts";

/** Adds to the refusal what the others changed, as far as the version that was looked at is still kept. */
export async function tellOvertaken(redis: Connection, basedOn: number, error: unknown): Promise<never> {
  if (!(error instanceof DomainError) || error.code !== "changed-meanwhile") throw error;
  const [basis, inForce] = await Promise.all([readVersion(redis, basedOn), readPolicy(redis)]);
  if (basis === undefined || !isGood(basis)) throw error;
  const changed = sayDifference(diffPolicies(basis.policy, inForce.policy));
  const message = [error.message, `What changed since version ${basedOn}:`, ...changed].join("\n");
  throw new DomainError(error.code, message, { ...error.fields }, { cause: error });
}
