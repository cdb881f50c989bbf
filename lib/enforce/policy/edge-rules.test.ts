import { describe, expect, it } from "vitest";
import { edgeSchema, Tools } from "./edge-rules.ts";
import { innocentAgents, scannerAgents } from "./vitest.agents.ts";

const { tools } = edgeSchema.parse({});
const usual = new Tools(tools);

it.each(scannerAgents)("a fresh install knows %s by %s", (_, userAgent) => {
  expect(usual.has(userAgent)).toBe(true);
  expect(usual.has(userAgent.toUpperCase())).toBe(true);
});

describe.each(Object.entries(innocentAgents))(
  "a fresh install takes none of the %s for a tool",
  (_, agents) => {
    it.each(agents)("%s", (userAgent) => expect(usual.has(userAgent)).toBe(false));
  },
);

it.each(["Mozilla", "chrome/", "googlebot", "gecko"])(
  "refuses %s, which ordinary browsers or the great crawlers name",
  (word) => {
    expect(() => edgeSchema.parse({ tools: [word] })).toThrow("ordinary browsers");
  },
);

it.each(["", "ab", "a\nb", "é".repeat(5), "x".repeat(65)])("refuses %j as a word", (word) => {
  expect(() => edgeSchema.parse({ tools: [word] })).toThrow("plain characters");
});

it("looks for words as they are, so that none can hang it", () => {
  const odd = new Tools(edgeSchema.parse({ tools: ["(a+)+$", ".*evil.*"] }).tools);
  expect(odd.has(`${"a".repeat(50_000)}!`)).toBe(false);
  expect(odd.has("my .*EVIL.* bot")).toBe(true);
  const startedAt = performance.now();
  for (let i = 0; i < 1_000; i++) usual.has(`${"sqlma".repeat(10_000)}${i}`);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
