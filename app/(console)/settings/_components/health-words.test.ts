import { expect, it } from "vitest";
import { checks } from "../../../../lib/doctor/check-up.ts";
import { judgeSettings } from "../../../../lib/doctor/settings.ts";
import type { DoctorFinding } from "../../../../lib/queries/doctor.ts";
import { findingWords } from "./finding-words.ts";
import { inOrder, sayHealth } from "./health-words.ts";

function report(...statuses: DoctorFinding["status"][]) {
  const findings = statuses.map((status, i) => ({ check: `check ${i}`, status, says: "x", lookedAt: 0 }));
  return { findings, looking: [] as string[] };
}

it("counts what is wrong", () => {
  expect(sayHealth(report("ok", "problem", "note", "problem"))).toBe("2 problems and 1 note");
  expect(sayHealth(report("note", "note"))).toBe("2 notes");
  expect(sayHealth(report("ok"))).toBe("Nothing is wrong");
  expect(sayHealth({ ...report("ok"), looking: ["entries"] })).toBe("Nothing is wrong so far");
});

it("shows the worst first, and the rest as doctor looks", () => {
  const { findings } = report("ok", "note", "problem", "ok", "problem");
  expect(inOrder(findings).map(({ check }) => check)).toEqual([
    "check 2",
    "check 4",
    "check 1",
    "check 0",
    "check 3",
  ]);
});

it("has a title and a meaning for everything that doctor looks at", () => {
  const settings = judgeSettings({
    secret: "x",
    publicUrl: undefined,
    redisUrl: "redis://10.0.0.1",
    countersRedisUrl: "redis://10.0.0.2",
    token: "x",
  });
  for (const check of [...checks.map(({ name }) => name), ...settings.map((finding) => finding.check)]) {
    const { title, matters } = findingWords(check);
    expect(title, check).toMatch(/^[A-Z]/);
    expect(matters, check).not.toBe("");
  }
});
