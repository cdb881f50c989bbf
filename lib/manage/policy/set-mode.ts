import { type Mode, modes } from "../../enforce/policy/schema.ts";
import { DomainError } from "../../errors.ts";
import type { Signed } from "../audit/record.ts";
import { type SavedPolicy, savePolicy } from "./save.ts";

export interface ModeInput {
  readonly mode: Mode;
  /** When the mode goes back to what it was, by Redis' clock. */
  readonly untilMs?: number | undefined;
  readonly reason: string;
}

/** Switches the mode, whatever else of the policy has changed since: it is for emergencies. */
export async function setMode(ctx: Signed, { mode, untilMs, reason }: ModeInput): Promise<SavedPolicy> {
  if (!modes.includes(mode)) {
    const problem = `write one of ${modes.join(", ")}`;
    throw new DomainError("bad-input", `The mode was not changed: ${problem}.`, { mode: problem });
  }
  return savePolicy(ctx, {
    ...{ action: "policy.mode", reason, untilMs },
    make({ policy, timed }) {
      const isTimed = timed?.ends.some(({ part }) => part === "mode");
      if (untilMs !== undefined && policy.mode === mode && !isTimed) throw endless(mode);
      return { ...policy, mode };
    },
  });
}

function endless(mode: Mode): DomainError {
  const problem = `the mode is ${mode} already, without an end: there is none to go back to`;
  return new DomainError("bad-input", `Nothing was changed: ${problem}.`, { until: problem });
}
