import { expect, it, vi } from "vitest";
import { environment } from "../../env.ts";
import { edgeSyncOf } from "./start.ts";

it("refuses a never-block setting with an unreadable part", () => {
  vi.stubEnv("SLUICE_NEVER_BLOCK", "198.51.100.7 office");
  try {
    expect(() => edgeSyncOf(environment())).toThrow(/^SLUICE_NEVER_BLOCK: .*office/);
  } finally {
    vi.unstubAllEnvs();
  }
});
