import { requirePolicy } from "../../enforce/policy/schema.ts";
import type { PolicyInForce } from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import type { Signed } from "../audit/record.ts";
import { type SavedPolicy, savePolicy } from "./save.ts";

/** Saves a whole policy, unless it has changed since the version that it was made from. */
export async function setPolicy(
  ctx: Signed,
  {
    policy,
    basedOn,
    reason,
    isOldIgnored,
    untilMs,
  }: {
    readonly policy: unknown;
    readonly basedOn: number;
    readonly reason: string;
    readonly isOldIgnored?: boolean;
    /** When what this changes goes back to what it was. */
    readonly untilMs?: number | undefined;
  },
): Promise<SavedPolicy> {
  const wished = requirePolicy(policy);
  const make = (inForce: PolicyInForce) => {
    checkBasis(inForce, basedOn);
    return wished;
  };
  return savePolicy(ctx, { action: "policy.set", reason, isOldIgnored, untilMs, make });
}

/** Throws if another version is in force, and names its author. */
export function checkBasis({ version, at, by, reason }: PolicyInForce, basedOn: number): void {
  if (version === basedOn) return;
  const who =
    version === 0
      ? "The policy of a fresh install is in force"
      : `${by ?? "Another writer"} saved version ${version}`;
  const when = at === undefined ? "" : ` at ${at}`;
  const why = version === 0 || reason === "" ? "" : ` (${reason})`;
  throw new DomainError(
    "changed-since",
    `${who}${when}${why}, while yours is made from version ${basedOn}. Nothing was written: look at what changed, then save again.`,
  );
}
