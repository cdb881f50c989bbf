import { describe, expect, it } from "vitest";
import type { BulkResult } from "../../../lib/lists/bulk.ts";
import type { Result } from "../../_server/action.ts";
import { answered, inSteps, inTurn, isPassing } from "./in-steps.ts";

const step = (done: number, change: number | null, next: string | null = null): Result<BulkResult> => ({
  ok: true,
  value: { done, change, changes: change === null ? [] : [change], skipped: [], skippedCount: 0, next },
});
const refused: Result<BulkResult> = {
  ok: false,
  error: { code: "redis-unavailable", message: "Redis does not answer.", fields: {} },
};

describe("a change in steps", () => {
  it("goes on where the step before has stopped", async () => {
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
    expect(total).toEqual({ done: 802, change: 8, changes: [7, 8], skipped: [], skippedCount: 0 });
  });

  it("keeps what was done when a step is refused", async () => {
    const answers = [step(500, 7, "203.0.113.9")];
    const total = await inSteps(async () => answers.shift() ?? refused);
    expect(total).toMatchObject({ done: 500, change: 7, failure: { code: "redis-unavailable" } });
  });

  it("says so when nobody answers", async () => {
    const result = await answered(() => Promise.reject(new TypeError("fetch failed")));
    expect(result).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("does not answer") },
    });
  });
});

it("takes one part after the other, up to the first that stops", async () => {
  const asked: number[] = [];
  const total = await inTurn([1, 2, 3], async (part) => {
    asked.push(part);
    return inSteps(async () => (part === 2 ? refused : step(part, part)));
  });
  expect(asked).toEqual([1, 2]);
  expect(total).toMatchObject({ done: 1, changes: [1], failure: { code: "redis-unavailable" } });
});

it("tells trouble that passes by itself from what stays", async () => {
  const of = async (result: Promise<Result<never>>) => {
    const told = await answered(() => result);
    return told.ok || isPassing(told.error);
  };
  const failed = (code: "redis-unavailable" | "failed" | "signed-out") =>
    Promise.resolve({ ok: false, error: { code, message: "", fields: {} } } as const);
  expect(await of(Promise.reject(new Error("Failed to fetch")))).toBe(true);
  expect(await of(failed("redis-unavailable"))).toBe(true);
  expect(await of(failed("failed"))).toBe(false);
  expect(await of(failed("signed-out"))).toBe(false);
});
