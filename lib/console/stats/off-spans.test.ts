import { expect, it } from "vitest";
import type { AuditRecord } from "../../manage/audit/record.ts";
import { offSpansOf } from "./off-spans.ts";

const stored = (mode: string) => ({ value: `{"version":2,"policy":{"mode":"${mode}"`, expiresAt: null });

function switched(at: number, before: string, after: string, action = "policy.mode"): AuditRecord {
  return {
    ...{ n: at, at: new Date(at).toISOString(), actor: "ada@example.org", via: "console", action },
    ...{ reason: "a test", change: at },
    changes: [{ target: "policy", before: stored(before), after: stored(after) }],
  };
}

const enforced = { mode: "enforce" } as const;
const off = { mode: "off" } as const;

it.each([
  ["the mode was never off", [], enforced, []],
  ["off all the time", [], off, [{ from: 100, until: null, isEarlier: true }]],
  [
    "off since before the chart begins",
    [],
    { ...off, at: new Date(50).toISOString() },
    [{ from: 100, until: null, isEarlier: true }],
  ],
  [
    "switched off without any record",
    [],
    { ...off, at: new Date(400).toISOString() },
    [{ from: 400, until: null, isEarlier: false }],
  ],
  [
    "off, then on",
    [switched(300, "off", "enforce"), switched(200, "enforce", "off")],
    enforced,
    [{ from: 200, until: 300, isEarlier: false }],
  ],
  [
    "off before the chart begins",
    [switched(300, "off", "shadow")],
    enforced,
    [{ from: 100, until: 300, isEarlier: true }],
  ],
  ["on again before the chart begins", [switched(80, "off", "enforce")], enforced, []],
  [
    "a policy published while off",
    [switched(300, "off", "off", "policy.set"), switched(200, "enforce", "off")],
    off,
    [{ from: 200, until: null, isEarlier: false }],
  ],
  [
    "switched on without a record",
    [switched(200, "enforce", "off")],
    { ...enforced, at: new Date(400).toISOString() },
    [{ from: 200, until: 400, isEarlier: false }],
  ],
  [
    "switched off without a record",
    [switched(200, "off", "enforce")],
    { ...off, at: new Date(400).toISOString() },
    [
      { from: 100, until: 200, isEarlier: true },
      { from: 400, until: null, isEarlier: false },
    ],
  ],
  ["refused", [switched(200, "enforce", "off", "refused:policy.mode")], enforced, []],
])("%s", (_, records, inForce, spans) => {
  expect(offSpansOf(records, 100, inForce)).toEqual(spans);
});
