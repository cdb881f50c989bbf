import type { Holding } from "../audit/snapshot.ts";
import { DomainError } from "../errors.ts";

/** What stands in the way may matter to whoever put it there. */
export function refuseOtherKind(
  key: string,
  held: Holding | undefined,
  kind: "string" | "hash",
  what: string,
): void {
  if (!held || held.kind === kind || held.kind === "none") return;
  throw new DomainError("bad-input", `${key} in Redis is a ${held.kind}, not ${what}: remove it first.`);
}
