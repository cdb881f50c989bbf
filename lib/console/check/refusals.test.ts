import { expect, it } from "vitest";
import { DomainError } from "../../errors.ts";
import { countRefusal, refusalCounts } from "./refusals.ts";

it("counts every refusal by its reason, and logs one line a minute for each", () => {
  const lines: string[] = [];
  const refuse = (code: "not-allowed" | "not-found", atMs: number) =>
    countRefusal(new DomainError(code, `${code}.`), (line) => lines.push(line), atMs);
  for (let ms = 0; ms < 60_000; ms += 1_000) refuse("not-allowed", ms);
  refuse("not-found", 59_000);
  refuse("not-allowed", 60_000);
  expect(lines).toEqual([
    "sluice: /api/check gave no verdict on a request: not-allowed.",
    "sluice: /api/check gave no verdict on a request: not-found.",
    "sluice: /api/check gave no verdict on 60 requests: not-allowed.",
  ]);
  expect(Object.fromEntries(refusalCounts())).toEqual({ token: 61, app: 1, question: 0, settings: 0 });
});
