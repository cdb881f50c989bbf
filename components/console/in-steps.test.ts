import { describe, expect, it } from "vitest";
import type { Result } from "@/lib/console/action.ts";
import type { BulkResult } from "@/lib/manage/lists/bulk.ts";
import { answered, inSteps, inTurn } from "./in-steps.ts";

const step = (done: number, change: number | null, next: string | null = null): Result<BulkResult> => ({
  ok: true,
  value: { done, change, record: change === null ? null : 9, skipped: [], skippedCount: 0, next },
});
const refused: Result<BulkResult> = {
  ok: false,
  error: { code: "redis-unavailable", message: "Redis does not answer.", fields: {}, effect: "none" },
};

describe("a change in steps", () => {
  it("continues where the previous step stopped", async () => {
    const answers = [step(500, 7, "203.0.113.9"), step(300, 8, "203.0.114.1"), step(2, null)];
    const asked: (string | undefined)[] = [];
    const told: number[] = [];
    const total = await inSteps(
      async (after) => {
        asked.push(after);
        return answers[asked.length - 1] ?? refused;
      },
      (done) => told.push(done),
    );
    expect(asked).toEqual([undefined, "203.0.113.9", "203.0.114.1"]);
    expect(told).toEqual([500, 800, 802]);
    expect(total).toEqual({ done: 802, change: 8, record: 9, skipped: [], skippedCount: 0 });
  });

  it("keeps what was done if a step is refused", async () => {
    const answers = [step(500, 7, "203.0.113.9")];
    const total = await inSteps(async () => answers.shift() ?? refused);
    expect(total).toMatchObject({ done: 500, change: 7, failure: { code: "redis-unavailable" } });
  });

  it("counts what a step did before it stopped", async () => {
    const stopped = { code: "redis-unavailable", message: "Stopped after 500 of 900 entries." } as const;
    const told: number[] = [];
    const total = await inSteps(
      async () => ({
        ok: true,
        value: { done: 500, change: 7, record: 9, skipped: [], skippedCount: 0, next: "x", stopped },
      }),
      (done) => told.push(done),
    );
    expect(told).toEqual([500]);
    expect(total).toMatchObject({ done: 500, record: 9, failure: stopped });
  });

  it("reports that the console did not answer", async () => {
    const result = await answered(() => Promise.reject(new TypeError("fetch failed")));
    expect(result).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("did not answer") },
    });
  });
});

it("runs one part after the other, up to the first that stops", async () => {
  const asked: number[] = [];
  const total = await inTurn([1, 2, 3], async (part) => {
    asked.push(part);
    return inSteps(async () => (part === 2 ? refused : step(part, part)));
  });
  expect(asked).toEqual([1, 2]);
  expect(total).toMatchObject({ done: 1, change: 1, record: 9, failure: { code: "redis-unavailable" } });
});
