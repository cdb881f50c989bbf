import type { Signed } from "../audit/record.ts";
import { DomainError } from "../errors.ts";
import { requirePolicy } from "./check.ts";
import { type Saved, savePolicy } from "./save.ts";
import type { PolicyInForce } from "./versions.ts";

/** Saves a whole policy, unless it has changed since the version that it was made from. */
export async function setPolicy(
  ctx: Signed,
  {
    policy,
    basedOn,
    reason,
  }: { readonly policy: unknown; readonly basedOn: number; readonly reason: string },
): Promise<Saved> {
  const wished = requirePolicy(policy);
  const make = (inForce: PolicyInForce) => {
    checkBasis(inForce, basedOn);
    return wished;
  };
  return savePolicy(ctx, { action: "policy.set", reason, make });
}

/** Says who was faster. */
export function checkBasis({ version, at, by, reason }: PolicyInForce, basedOn: number): void {
  if (version === basedOn) return;
  const who =
    version === 0
      ? "Nobody has saved a policy that is still there"
      : `${by ?? "Somebody"} saved version ${version}`;
  const when = at === undefined ? "" : ` at ${at}`;
  const why = version === 0 || reason === "" ? "" : ` (${reason})`;
  throw new DomainError(
    "changed-meanwhile",
    `${who}${when}${why}, while yours is made from version ${basedOn}. Nothing was written: look at what changed, then save again.`,
  );
}
