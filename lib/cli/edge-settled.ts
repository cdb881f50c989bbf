import type { SweepState } from "../edge/state.ts";
import { saySweep } from "./edge-status.ts";

/** Whether every edge follows; where none is reached, nobody knows. */
export function hasSettled(state: SweepState | undefined): boolean {
  const { dictionaries } = state ?? { dictionaries: [] };
  return dictionaries.length > 0 && dictionaries.every(({ behindSince }) => behindSince === null);
}

export function saySettled(state: SweepState | undefined): string[] {
  if (state && state.dictionaries.length > 0) return saySweep(state, true);
  return [
    "No edge is connected where it was swept: set SLUICE_EDGE as the console has it, or start the console.",
  ];
}
