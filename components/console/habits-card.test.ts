import { expect, it } from "vitest";
import { saySamples } from "./habits-card.tsx";

it("says where shares come from", () => {
  const samples = { count: 46, from: 60_000, until: 600_000 };
  expect(saySamples(samples)).toBe("shares of 46 samples, 00:01–00:10 UTC");
  expect(saySamples({ ...samples, count: 1, until: 60_000 })).toBe("shares of 1 sample, 00:01:00 UTC");
});
