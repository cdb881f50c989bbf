import { vi } from "vitest";

// Before each file of the untimed tests: what they are about is what is counted, not how fast.
vi.mock(import("../limits/scales.ts"), async (original) =>
  (await import("./vitest.patience.ts")).patientScales(original),
);
vi.mock(import("./deadline.ts"), async (original) =>
  (await import("./vitest.patience.ts")).patientDeadline(original),
);
