import { expect, it } from "vitest";
import { defaultPolicy } from "@/lib/enforce/policy/stored.ts";
import { slackOf } from "./rule-words.ts";

const policy = { ...defaultPolicy };
const rule = { name: "login", client: "ip", algorithm: "fixed", levels: [{ limit: 300, periodSeconds: 60 }] };
const sayOf = (some: object, nodes: number) =>
  slackOf({ now: { nodes }, draft: { policy } }, { ...rule, ...some });

it("states how far the running nodes may exceed the edited rule, or why it is exact", () => {
  expect(sayOf({ slack: 0.1 }, 4)).toBe("10%: up to 28 of 300 more, with 4 nodes");
  expect(sayOf({ slack: 0.1, levels: "tier", client: "customer" }, 4)).toBe("10% of each limit");
  expect(sayOf({}, 4)).toBe("none: each request waits for its count");
  expect(sayOf({ slack: 0.1, onStoreError: "closed" }, 4)).toBe(
    "none: a rule with onStoreError closed is exact",
  );
});

it("returns undefined while the rule has a problem", () => {
  for (const slack of ["0.", 2, -1]) expect(sayOf({ slack }, 4)).toBeUndefined();
});
