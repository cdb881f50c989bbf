import { type Mode, modes } from "../../enforce/policy/schema.ts";
import { DomainError } from "../../errors.ts";
import type { Signed } from "../audit/record.ts";
import { type SavedPolicy, savePolicy } from "./save.ts";

/** Switches the mode, whatever else of the policy has changed since: it is for emergencies. */
export async function setMode(
  ctx: Signed,
  { mode, reason }: { readonly mode: Mode; readonly reason: string },
): Promise<SavedPolicy> {
  if (!modes.includes(mode)) {
    const problem = `write one of ${modes.join(", ")}`;
    throw new DomainError("bad-input", `The mode was not changed: ${problem}.`, { mode: problem });
  }
  return savePolicy(ctx, { action: "policy.mode", reason, make: ({ policy }) => ({ ...policy, mode }) });
}
