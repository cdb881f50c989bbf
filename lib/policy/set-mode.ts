import type { Signed } from "../audit/record.ts";
import { DomainError } from "../errors.ts";
import { type Saved, savePolicy } from "./save.ts";
import { type Mode, modes } from "./schema.ts";

/** Switches the whole policy, whatever else was changed meanwhile: it is for emergencies. */
export async function setMode(
  ctx: Signed,
  { mode, reason }: { readonly mode: Mode; readonly reason: string },
): Promise<Saved> {
  if (!modes.includes(mode)) {
    const problem = `write one of ${modes.join(", ")}`;
    throw new DomainError("bad-input", `The mode was not changed: ${problem}.`, { mode: problem });
  }
  return savePolicy(ctx, { action: "policy.mode", reason, make: ({ policy }) => ({ ...policy, mode }) });
}
