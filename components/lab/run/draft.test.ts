import { expect, it } from "vitest";
import { algorithms } from "@/lib/enforce/algorithms/algorithms.ts";
import { policySchema } from "@/lib/enforce/policy/schema.ts";
import { draftHref, draftOf } from "./draft.ts";
import { presets, recounted } from "./run.ts";

it("makes a rule that a policy takes, whatever the way of counting", () => {
  for (const algorithm of algorithms) {
    const draft = draftOf(recounted(presets.burst.b, algorithm), 0.5);
    const { success, data } = policySchema.safeParse({ mode: "shadow", rules: [draft], tiers: {} });
    expect([algorithm, success]).toEqual([algorithm, true]);
    expect(data?.rules[0]).toMatchObject(draft);
  }
});

it("carries the rule as JSON in base64url", () => {
  const href = draftHref({ algorithm: "earrrl", limit: 0.5, periodSeconds: 60 }, 0);
  const [path, text = ""] = href.split("?draft=");
  expect(path).toBe("/policy");
  expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(JSON.parse(Buffer.from(text, "base64url").toString())).toEqual({
    name: "lab/earrrl-0.5-60",
    client: "ip",
    algorithm: "earrrl",
    levels: [{ limitPerSecond: 0.5, halfLifeSeconds: 60, overageWeight: 0 }],
  });
});
