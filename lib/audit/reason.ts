import { DomainError } from "../errors.ts";

const longestReason = 500;

/** Why a reason cannot be kept as it is. */
export function reasonProblem(reason: string): string | undefined {
  if (reason.length > longestReason)
    return `A reason has at most ${longestReason} characters, this one ${reason.length}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would reach terminals and logs.
  return /[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(reason) ? "A reason has no control characters" : undefined;
}

export function checkReason(reason: string): void {
  const problem = reasonProblem(reason);
  if (problem) throw new DomainError("bad-input", `${problem}.`, { reason: problem });
}
