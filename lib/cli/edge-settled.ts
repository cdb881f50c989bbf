import type { SweepState } from "../edge/state.ts";
import { saySweep } from "./edge-status.ts";

export function saySettled(state: SweepState | undefined): string[] {
  if (state && state.dictionaries.length > 0) return saySweep(state, true);
  return [
    "No edge is connected where it was swept: set SLUICE_EDGE as the console has it, or start the console.",
  ];
}
