import { reasonProblem } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import type { Holding } from "../../redis/snapshot.ts";

/** Throws for a reason that a record cannot keep as it is. */
export function checkReason(reason: string): void {
  const problem = reasonProblem(reason);
  if (problem) throw new DomainError("bad-input", `${problem}.`, { reason: problem });
}

/** Why a key may not be written: it holds another type, which its writer may still need. */
export function typeProblem(
  key: string,
  { kind }: Pick<Holding, "kind">,
  expected: "string" | "hash",
  what: string,
): string | undefined {
  if (kind === expected || kind === "none") return undefined;
  return `${key} in Redis is a ${kind}, not ${what}: remove it first.`;
}

export function requireType(...about: Parameters<typeof typeProblem>): void {
  const problem = typeProblem(...about);
  if (problem !== undefined) throw new DomainError("bad-input", problem);
}
