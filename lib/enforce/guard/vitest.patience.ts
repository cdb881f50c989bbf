import type * as scales from "../limits/scales.ts";
import type * as deadline from "./deadline.ts";

/** Ten seconds instead of 40 ms for the counters, and of 45 ms for lists and policy, while it is on. */
export const patience = { isOn: true };
const patientlyMs = 10_000;

/**
 * In place of `limits/scales.ts`, where a test is about what is counted, not how fast:
 * `vi.mock(import("../limits/scales.ts"), async (original) => (await import("./vitest.patience.ts")).patientScales(original))`
 */
export async function patientScales(original: () => Promise<typeof scales>): Promise<typeof scales> {
  const module = await original();
  return {
    ...module,
    createScales: (redis, options) =>
      module.createScales(redis, patience.isOn ? { withinMs: patientlyMs, ...options } : options),
  };
}

/** The same in place of `deadline.ts`, for the first checks of a guard. */
export async function patientDeadline(original: () => Promise<typeof deadline>): Promise<typeof deadline> {
  const module = await original();
  return {
    ...module,
    deadlineOf: (startedAt = performance.now()) =>
      patience.isOn ? startedAt + patientlyMs : module.deadlineOf(startedAt),
  };
}
