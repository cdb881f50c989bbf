import fc from "fast-check";
import { expect, it } from "vitest";
import { readRuleCounts } from "../../observe/stats/series.ts";
import { requirePolicy } from "../policy/schema.ts";
import { defaultPolicy } from "../policy/stored.ts";
import {
  clientOf,
  clientOfRule,
  countsByApp,
  type Field,
  fieldOfApp,
  fields,
  type HitterName,
  hitterText,
  readField,
  readHitter,
  ruleNames,
} from "./fields.ts";

const login = {
  ...{ name: "login", client: "ip", algorithm: "fixed" },
  levels: [
    { limit: 2, periodSeconds: 60 },
    { limit: 9, periodSeconds: 3_600 },
  ],
};
const policy = requirePolicy({ ...defaultPolicy, rules: [...defaultPolicy.rules, login] });
const rules = ruleNames(policy);

it.each<[string, Field]>([
  [fields.outcome("throttled"), { kind: "outcome", outcome: "throttled" }],
  [fields.denied("req/ip/1"), { kind: "denied", rule: "req/ip/1" }],
  [fields.shadow("rate/ip"), { kind: "shadow", rule: "rate/ip" }],
  [fields.over("req/ip/1"), { kind: "over", rule: "req/ip/1" }],
  [fields.hit("req/ip/1"), { kind: "hit", rule: "req/ip/1" }],
  [fields.near("req/ip/1"), { kind: "near", rule: "req/ip/1" }],
  [fields.took(10), { kind: "took", bucket: 10 }],
  [fields.tookMicros, { kind: "tookMicros" }],
  [fields.unsure, { kind: "unsure" }],
  [fields.unknownCustomer, { kind: "unknownCustomer" }],
  [fields.seconds, { kind: "seconds" }],
])("reads back %j", (text, field) => {
  expect(readField(text, rules)).toEqual(field);
});

/** Names of rules, and what apps and clients may be called: any text, but a rule without spaces. */
const ruleName = fc.string({ minLength: 1, maxLength: 40 }).filter((name) => !name.includes(" "));
const anyText = fc.string({ maxLength: 40 });
const anyField: fc.Arbitrary<Field> = fc.oneof(
  fc.record({
    kind: fc.constant("outcome" as const),
    outcome: fc.constantFrom("pass", "blocked", "shadowed"),
  }),
  fc.record({ kind: fc.constantFrom("denied" as const, "shadow" as const, "over" as const), rule: ruleName }),
  fc.record({ kind: fc.constant("took" as const), bucket: fc.integer({ min: 0, max: 99 }) }),
  fc.record({ kind: fc.constantFrom("tookMicros", "unsure", "unknownCustomer", "seconds") }),
);
const anyHitter: fc.Arbitrary<HitterName> = fc.oneof(
  fc.record({ kind: fc.constantFrom("ip" as const, "customer" as const), client: anyText }),
  fc.record({ kind: fc.constant("rule" as const), rule: ruleName, client: anyText }),
);

function textOf(field: Field): string {
  switch (field.kind) {
    case "outcome":
      return fields.outcome(field.outcome);
    case "denied":
    case "shadow":
    case "exempt":
    case "over":
    case "checked":
    case "hit":
    case "near":
      return fields[field.kind](field.rule);
    case "took":
      return fields.took(field.bucket);
    default:
      return fields[field.kind];
  }
}

it("reads back every field and every client that it writes, whatever they are called", () => {
  const asWritten = (name: string) => name;
  fc.assert(
    fc.property(anyField, anyHitter, (field, hitter) => {
      expect(readField(textOf(field), asWritten)).toEqual(field);
      const { kind } = hitter;
      const client = kind === "rule" ? clientOfRule(hitter.rule, hitter.client) : hitter.client;
      const text = hitterText(kind, client);
      expect(readHitter(text, asWritten)).toEqual(hitter);
      for (const other of ["ip", "customer"] as const)
        expect(clientOf(other, text)).toBe(other === kind ? hitter.client : undefined);
    }),
  );
});

it("reads back the counts of every app", () => {
  const apps = fc.dictionary(
    anyText.filter((app) => !app.includes("\0")),
    fc.nat(),
    { maxKeys: 5 },
  );
  fc.assert(
    fc.property(apps, anyField, (counts, field) => {
      const text = textOf(field);
      const hash = Object.fromEntries(
        Object.entries(counts).map(([app, count]) => [fieldOfApp(app, text), String(count)]),
      );
      const read = [...countsByApp(hash)].map(([app, found]) => [app, [...found]]);
      expect(read).toEqual(Object.entries(counts).map(([app, count]) => [app, [[text, count]]]));
    }),
  );
});

it("does not guess at what another version counts", () => {
  for (const text of ["", "took long", "took 1000", "some thing", "Pass"])
    expect([text, readField(text, rules)]).toEqual([text, undefined]);
});

it("reads back every kind of client", () => {
  expect(readHitter(hitterText("ip", "203.0.113.9"), rules)).toEqual({ kind: "ip", client: "203.0.113.9" });
  expect(readHitter(hitterText("customer", "acme"), rules)).toEqual({ kind: "customer", client: "acme" });
  const name = hitterText("rule", clientOfRule("login", "joe doe"));
  expect(readHitter(name, rules)).toEqual({ kind: "rule", rule: "login", client: "joe doe" });
  expect(clientOf("ip", hitterText("ip", "203.0.113.9"))).toBe("203.0.113.9");
  expect(clientOf("ip", hitterText("customer", "203.0.113.9"))).toBeUndefined();
  for (const text of ["rule login", "tribe x", ""]) expect(readHitter(text, rules)).toBeUndefined();
});

it.each([
  ["login/60", "login"],
  ["login/3600", "login"],
  ["login/0.5", "login"],
  ["req/customer/86400", "req/customer"],
  ["login", "login"],
  // Rules of one level, or of a name that ends in a number, are what they are.
  ["req/ip/1", "req/ip/1"],
  ["req/ip/1/300", "req/ip/1/300"],
  ["rate/ip/60", "rate/ip/60"],
  ["gone/60", "gone/60"],
  ["login/0", "login/0"],
  ["login/.", "login/."],
])("takes %j, as an older node may name it, for rule %j", (written, rule) => {
  expect(readField(`denied ${written}`, rules)).toEqual({ kind: "denied", rule });
});

it("adds up what a rule denied and let pass above its limit, of nodes of every version and of every app", async () => {
  // Nodes at docs are older, and do not count what passes above a limit.
  const apps = new Map([
    [
      "shop",
      new Map([
        ["denied login", 2],
        ["denied login/60", 30],
        ["shadow rate/ip", 5],
        ["over login", 6],
        ["over rate/ip", 7],
        ["pass", 9],
      ]),
    ],
    [
      "docs",
      new Map([
        ["denied login/3600", 400],
        ["denied req/ip/1", 1],
      ]),
    ],
    ["blog", new Map([["over login", 10]])],
  ]);
  const series = { read: async () => [{ at: 0, apps }] };
  expect(await readRuleCounts(series, { policy, minutes: 60, nowMs: 0 })).toEqual([
    { rule: "login", denied: 432, shadowed: 0, exempt: 0, over: 16, checked: 0 },
    { rule: "rate/ip", denied: 0, shadowed: 5, exempt: 0, over: 7, checked: 0 },
    { rule: "req/ip/1", denied: 1, shadowed: 0, exempt: 0, over: 0, checked: 0 },
  ]);
});
