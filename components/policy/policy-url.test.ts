import { expect, it } from "vitest";
import { readPolicyUrl, writePolicyUrl } from "./policy-url.ts";

it("writes what it reads, and leaves out defaults", () => {
  const url = { view: "json", rule: "req/ip/1", find: "a", span: "24h" } as const;
  expect(readPolicyUrl(new URLSearchParams(writePolicyUrl(url)))).toEqual(url);
  expect(writePolicyUrl(readPolicyUrl(new URLSearchParams("view=x&span=7d")))).toBe("");
});
