import { startSweep } from "../../lib/edge/start.ts";
import { environment } from "../../lib/env.ts";
import { DomainError } from "../../lib/errors.ts";
import { atHome } from "../../lib/redis/home.ts";

/** This console's sweep of the edge. */
export interface OwnSweep {
  /** Why there is none: the console comes up without it, and says so where the edge is looked at. */
  readonly problem: string | undefined;
}

export const sweepHome = "sweep of the edge";

/** One in a process, from when somebody first asks for it. */
export function theSweep(): OwnSweep {
  return atHome(sweepHome, start);
}

function start(): OwnSweep {
  try {
    startSweep(environment());
    return { problem: undefined };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    console.warn(`sluice: this console does not sweep the edge. ${error.message}`);
    return { problem: error.message };
  }
}
