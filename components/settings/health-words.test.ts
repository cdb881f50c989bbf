import { expect, it } from "vitest";
import { judgeSettings } from "@/lib/observe/doctor/check-settings.ts";
import { checks } from "@/lib/observe/doctor/check-up.ts";
import type { DoctorFinding } from "@/lib/queries/doctor.ts";
import { findingWords } from "./finding-words.ts";
import { inOrder, sayHealth } from "./health-words.ts";

function report(...statuses: DoctorFinding["status"][]) {
  const findings = statuses.map((status, i) => ({ check: `check ${i}`, status, says: "x", lookedAt: 0 }));
  return { findings, looking: [] as string[], hasAll: true };
}

it("counts what is wrong", () => {
  expect(sayHealth(report("ok", "problem", "note", "problem"))).toBe("2 problems and 1 note");
  expect(sayHealth(report("note", "note"))).toBe("2 notes");
  expect(sayHealth(report("ok"))).toBe("No problems");
  expect(sayHealth({ ...report("ok"), looking: ["entries"] })).toBe("No problems so far");
  expect(sayHealth({ ...report("ok"), hasAll: false })).toBe("No problems in the checks below");
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
    checkToken: "x",
    metricsToken: "x",
  });
  for (const check of [...checks.map(({ name }) => name), ...settings.map((finding) => finding.check)]) {
    const { title, matters } = findingWords(check);
    expect(title, check).toMatch(/^[A-Z]/);
    expect(matters, check).not.toBe("");
  }
});
