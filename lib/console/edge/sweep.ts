import { environment } from "../../env.ts";
import { DomainError } from "../../errors.ts";
import { startEdgeSync } from "../../manage/edge/start.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";

/** This console's edge sync. */
interface OwnSweep {
  /** Why there is none: the console starts without it, and says so on the page of the edge. */
  readonly problem: string | undefined;
}

export const sweepHome = "edge sync";

/** One in a process, from the first call. */
export function theSweep(): OwnSweep {
  return oncePerProcess(sweepHome, start);
}

function start(): OwnSweep {
  try {
    startEdgeSync(environment());
    return { problem: undefined };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    console.warn(`sluice: this console does not sync the edge. ${error.message}`);
    return { problem: error.message };
  }
}
