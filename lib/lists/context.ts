import type { Signed } from "../audit/record.ts";
import type { ProtectedRange } from "./protected.ts";

/** What every verb of the lists needs. Without `protectedRanges` no rule against locking the house could be kept. */
export interface Context extends Signed {
  /** What may never be blocked, by the environment; what Redis adds is read with each change. */
  readonly protectedRanges: readonly ProtectedRange[];
}
