import { describe, expect, it } from "vitest";
import type { Level } from "./levels.ts";
import { checkPolicy, requirePolicy } from "./schema.ts";
import { defaultPolicy, parsePolicy, writePolicy } from "./stored.ts";
import { sayLevels } from "./words.ts";

const rule = { name: "a", client: "ip", algorithm: "fixed", levels: [{ limit: 1, periodSeconds: 1 }] };
const one = { levels: [{ limit: 1, periodSeconds: 1 }] };

function problems(policy: unknown): string[] {
  const checked = checkPolicy(policy);
  return checked.ok ? [] : checked.problems.map(({ path, message }) => `${path}: ${message}`);
}

const withRule = (given: object, tiers: object = {}) =>
  problems({ mode: "enforce", rules: [{ ...rule, ...given }], tiers });

const clientHelp =
  "rules[0].client: write who is counted: one of ip, user, customer, path, standard, broad, " +
  'or { ip: { v4: 24, v6: 48 } }, { header: "name" }, { cookie: "name" }, { code: "name" }, { all: [ … ] }';

describe("names that consoles of earlier versions use for sign-ins", () => {
  it.each(["signin/address", "signin/account"])(
    "are refused to a new policy, and a saved one goes on: %s",
    (name) => {
      expect(withRule({ name })).toEqual([
        `rules[0].name: "${name}" is reserved for sign-ins: choose another name`,
      ]);
      const policy = { mode: "enforce", rules: [{ ...rule, name }], tiers: {} };
      const stored = parsePolicy(JSON.stringify({ version: 3, reason: "", policy }));
      expect(stored).toMatchObject({ ok: true, stored: { policy: { rules: [{ name }] } } });
    },
  );
});

describe("what a person can act on", () => {
  it.each<[object, ...string[]]>([
    [{ name: "a b" }, "rules[0].name: write a name of letters, digits and _ . / -, at most 64"],
    [{ name: "" }, "rules[0].name: write a name of letters, digits and _ . / -, at most 64"],
    [{ colour: 1 }, "rules[0].colour: there is no such field here: check its spelling, or leave it out"],
    [{ client: "foo" }, clientHelp],
    [{ client: {} }, "rules[0].client: name exactly one of ip, header, cookie, code, all"],
    [
      { client: { header: "a", cookie: "b" } },
      "rules[0].client: name exactly one of ip, header, cookie, code, all",
    ],
    [
      { client: { header: "a b" } },
      "rules[0].client.header: write a header's name: letters, digits and dashes, at most 64",
    ],
    [
      { client: { cookie: "a;b" } },
      "rules[0].client.cookie: write a cookie's name: letters, digits and dashes, at most 64",
    ],
    [
      { client: { code: "a b" } },
      "rules[0].client.code: write a name that createGuard({ clients }) gives: letters, digits, _ . -, at most 64",
    ],
    [{ client: { all: ["ip"] } }, "rules[0].client.all: name at least two that are counted together"],
    [
      { client: { all: ["ip", "ip", "ip", "ip", "ip"] } },
      "rules[0].client.all: at most four are counted together",
    ],
    [
      { client: { all: ["ip", { header: "" }] } },
      "rules[0].client.all[1].header: write a header's name: letters, digits and dashes, at most 64",
    ],
    [
      { algorithm: "leaky" },
      "rules[0].algorithm: write one of fixed, first-hit, rolling-list, rolling-set, sliding, gcra, concurrent, earrrl",
    ],
    [
      { countWhen: "denied" },
      'rules[0].countWhen: write "failed", or the statuses to count: { "status": [401, 403] }',
    ],
    [
      { countWhen: { status: [] } },
      "rules[0].countWhen.status: name at least one of the statuses, or leave the list out",
    ],
    [{ countWhen: { status: [42] } }, "rules[0].countWhen.status[0]: write a whole number from 100 to 599"],
    [
      { countWhen: "failed", algorithm: "gcra" },
      "rules[0].countWhen: choose one of fixed, first-hit, rolling-list, rolling-set to count by outcome, or leave it out",
    ],
    [
      { algorithm: "concurrent", levels: [...one.levels, { limit: 5, periodSeconds: 60 }] },
      "rules[0].levels: write one level: how many at once, and after how many seconds each expires",
    ],
    [{ levels: [] }, "rules[0].levels: write at least one level"],
    [
      { levels: "none" },
      'rules[0].levels: write a list of levels: { limit, periodSeconds }, or "tier" for those of the customer\'s tier',
    ],
    [
      { levels: [3] },
      "rules[0].levels[0]: write a level: { limit, periodSeconds } or { limit, period, timeZone }",
    ],
    [
      { levels: Array.from({ length: 9 }, (_, i) => ({ limit: 1, periodSeconds: i + 1 })) },
      "rules[0].levels: at most 8 levels fit here",
    ],
    [
      { levels: [{ limit: -1, periodSeconds: 1.5 }] },
      "rules[0].levels[0].limit: write a whole number from 0 to 1,000,000,000,000",
      "rules[0].levels[0].periodSeconds: write a whole number from 1 to 31,622,400",
    ],
    [
      { levels: [...one.levels, ...one.levels] },
      "rules[0].levels[1].periodSeconds: there is a level of 1 s already: keep one of the two",
    ],
    [
      { levels: [86_400, 3_600, 86_399].map((periodSeconds) => ({ limit: 1, periodSeconds })) },
      "rules[0].levels[2].periodSeconds: there is a level of 86,400 s, and windows of 86,399 s could share its counter: keep one of the two",
    ],
    [
      { algorithm: "earrrl" },
      "rules[0].levels[0].limitPerSecond: write 0, or a number from 0.000001 to 1,000,000,000",
      "rules[0].levels[0].halfLifeSeconds: write a number from 1 to 31,622,400",
      "rules[0].levels[0].limit: there is no such field here: check its spelling, or leave it out",
      "rules[0].levels[0].periodSeconds: there is no such field here: check its spelling, or leave it out",
    ],
    [
      { algorithm: "earrrl", levels: [{ limitPerSecond: 1, halfLifeSeconds: 1, overageWeight: 2 }] },
      "rules[0].levels[0].overageWeight: write a number from 0 to 1",
    ],
    [
      { levels: "tier", client: "customer" },
      "rules[0].levels: there is no tier to take levels from: add a tier, or write the levels here",
    ],
    [{ cost: 0 }, "rules[0].cost: write a whole number from 1 to 1,000,000,000,000"],
    [
      { cost: "dear" },
      'rules[0].cost: write a whole number, or "request" for what the app says a request costs',
    ],
    [{ mode: "on" }, "rules[0].mode: write one of enforce, shadow, off"],
    [{ ipv6Prefix: 31 }, "rules[0].ipv6Prefix: write a whole number from 32 to 64"],
    [{ onStoreError: "x" }, "rules[0].onStoreError: write one of open, closed, model"],
    [{ requireBasic: true }, "rules[0].requireBasic: count by user, or leave requireBasic out"],
    [{ response: { status: 500 } }, "rules[0].response.status: write 429 or 503"],
    [
      { response: { message: "\x1b[31m" } },
      "rules[0].response.message: write at most 500 characters of plain text",
    ],
    [
      { ban: { after: 5, withinSeconds: 60, forSeconds: 600, capSeconds: 60 } },
      "rules[0].ban.capSeconds: write a cap that is no shorter than the first ban",
    ],
    [
      {
        client: { all: ["user", "path"] },
        ban: { after: 5, withinSeconds: 60, forSeconds: 60, capSeconds: 60 },
      },
      "rules[0].ban: count by ip, or together with ip: else one client could have another's address banned",
    ],
    [{ ban: 5 }, "rules[0].ban: write a ban: { after, withinSeconds, forSeconds, capSeconds }"],
    [
      { match: { only: ["api"] } },
      'rules[0].match.only[0]: write how a path begins: "/" first, no query, no spaces, at most 256 characters',
    ],
    [
      { match: { except: [] } },
      "rules[0].match.except: name at least one of the paths, or leave the list out",
    ],
    [{ match: { methods: ["GE T"] } }, "rules[0].match.methods[0]: write an HTTP method such as GET"],
    [{ match: { apps: [""] } }, "rules[0].match.apps[0]: write an app's name, at most 64 characters"],
    [{ match: { who: "staff" } }, "rules[0].match.who: write one of anyone, anonymous, customers"],
    [
      { match: [] },
      "rules[0].match: write what the rule matches: { only, anyExtension, except, methods, serverAction, apps, exceptApps, who }",
    ],
  ])("%j", (given, ...expected) => {
    expect(withRule(given)).toEqual(expected);
  });

  it("about the whole", () => {
    expect(problems(3)).toEqual([
      "policy: write a policy: { mode, rules, requestRules, tiers, defaultTier, edge, messages, attack }",
    ]);
    expect(problems({ mode: "x", rules: {}, tiers: [] })).toEqual([
      "mode: write one of enforce, shadow, off",
      "rules: write a list of rules",
      "tiers: write tiers by name: { free: { levels } }",
    ]);
    expect(problems({ mode: "off", rules: [3], tiers: {} })).toEqual(["rules[0]: write a rule"]);
    const rules = Array.from({ length: 65 }, (_, i) => ({ ...rule, name: `r${i}` }));
    expect(problems({ mode: "off", rules, tiers: {} })).toEqual(["rules: a policy has at most 64 rules"]);
    const tiers = Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`t${i}`, one]));
    expect(problems({ mode: "off", rules: [], tiers })).toEqual(["tiers: a policy has at most 32 tiers"]);
  });

  it("about rules that do not go together", () => {
    expect(problems({ mode: "off", rules: [rule, rule], tiers: {} })).toEqual([
      'rules[1].name: another rule is named "a": give this one a name of its own',
    ]);
    expect(withRule({ levels: "tier", match: { who: "anonymous" } }, { free: one })).toEqual([
      "rules[0].client: count by customer: a tier's levels are for one customer each",
      'rules[0].match: anonymous requests have no tier: write who "customers", or levels here',
    ]);
  });

  it("about tiers", () => {
    expect(withRule({}, { "Big Ones": one })).toEqual([
      "tiers.Big Ones: name a tier with a small letter first, then small letters, digits and _ -, at most 32",
    ]);
    expect(withRule({}, { pro: {} })).toEqual([
      "tiers.pro.levels: write a list of levels: { limit, periodSeconds }",
    ]);
    expect(withRule({}, { pro: 5 })).toEqual(["tiers.pro: write a tier: { levels }"]);
  });

  it("about a default tier", () => {
    const given = (defaultTier: unknown, tiers: object = { free: one, pro: one }) =>
      problems({ mode: "off", rules: [], tiers, defaultTier });
    expect(given("pro")).toEqual([]);
    expect(given("gold")).toEqual([
      "defaultTier: there is no such tier: write one of free, pro, or leave it out",
    ]);
    expect(given("gold", {})).toEqual(["defaultTier: there is no such tier: add a tier first"]);
    expect(given("constructor")[0]).toMatch(/^defaultTier: there is no such tier/);
    expect(given(3)[0]).toMatch(/^defaultTier: name a tier/);
  });

  it("in one refusal that names the first field and counts the others", () => {
    const bad = { mode: "x", rules: [{ ...rule, name: "\x1b" }], tiers: {} };
    expect(() => requirePolicy(bad)).toThrow(
      expect.objectContaining({
        code: "bad-input",
        message: "The policy was not saved: mode: write one of enforce, shadow, off (and 1 more).",
        fields: {
          mode: "write one of enforce, shadow, off",
          "rules[0].name": "write a name of letters, digits and _ . / -, at most 64",
        },
      }),
    );
  });
});

it("echoes nothing unprintable of a field's name", () => {
  expect(problems({ mode: "off", rules: [], tiers: {}, ["\x1b[2J".repeat(99)]: 1 })[0]).toMatch(
    /^[ -~\ufffd…]{1,220}$/,
  );
});

it("takes every client and fills in what was left out", () => {
  const clients = [
    ..."ip user customer path standard broad".split(" "),
    { header: "X-Api-Key" },
    { cookie: "sid" },
    { code: "tenant" },
    { all: ["ip", { header: "X-Api-Key" }] },
  ];
  for (const client of clients) expect(withRule({ client })).toEqual([]);
  const checked = checkPolicy({
    mode: "enforce",
    rules: [{ ...rule, match: { methods: ["post"] } }],
    tiers: {},
  });
  expect(checked).toMatchObject({
    ok: true,
    policy: {
      rules: [
        {
          match: { who: "anyone", methods: ["POST"] },
          ipv6Prefix: 64,
          cost: 1,
          mode: "enforce",
          response: { status: 429 },
          onStoreError: "open",
          requireBasic: false,
        },
      ],
    },
  });
});

it("lets all nodes together exceed the limits of a fresh install by a tenth, but no customer's", () => {
  expect(Object.fromEntries(defaultPolicy.rules.map(({ name, slack }) => [name, slack]))).toEqual({
    "req/ip/1": 0.1,
    "req/ip/2": 0.1,
    "req/customer": undefined,
    "rate/ip": 0.1,
  });
});

it("finds nothing wrong with the policy of a fresh install, nor with its own output", () => {
  expect(checkPolicy(defaultPolicy)).toEqual({ ok: true, policy: defaultPolicy });
  expect(defaultPolicy.rules.map(({ name, mode }) => `${name} ${mode}`)).toEqual([
    "req/ip/1 enforce",
    "req/ip/2 enforce",
    "req/customer enforce",
    "rate/ip shadow",
  ]);
});

describe("a level of the calendar", () => {
  const policyWith = (levels: unknown, rule: object = {}, tiers: object = {}) => ({
    mode: "enforce",
    rules: [{ name: "quota", client: "customer", algorithm: "fixed", levels, ...rule }],
    tiers,
  });
  const month = { limit: 10, period: "month", timeZone: "Europe/Berlin", startsOn: 15 };

  it("has about the length of a day or month, and UTC where it names no time zone", () => {
    const levels = [month, { limit: 1, period: "day" }, { limit: 5, periodSeconds: 60 }];
    expect(requirePolicy(policyWith(levels)).rules[0]?.levels).toEqual([
      { ...month, periodSeconds: 2_678_400 },
      { limit: 1, period: "day", timeZone: "UTC", periodSeconds: 86_400 },
      { limit: 5, periodSeconds: 60 },
    ]);
    const parsed = requirePolicy(policyWith(levels));
    expect(requirePolicy(parsed)).toEqual(parsed);
  });

  it.each([
    [{ limit: 1 }, "rules[0].levels[0].periodSeconds", /^write a whole number/],
    [{ ...month, timeZone: "Mars/Base" }, "rules[0].levels[0].timeZone", /^write the name of a time zone/],
    [{ ...month, startsOn: 32 }, "rules[0].levels[0].startsOn", /^write a whole number from 1 to 31/],
    [{ ...month, period: "week" }, "rules[0].levels[0].period", /^write one of day, month/],
    [{ ...month, period: "day" }, "rules[0].levels[0].startsOn", /^leave it out: only a month/],
    [{ ...month, periodSeconds: 60 }, "rules[0].levels[0].periodSeconds", /^leave it out/],
    [
      { limit: 1, periodSeconds: 60, timeZone: "UTC" },
      "rules[0].levels[0].timeZone",
      /^leave it out, or write the period/,
    ],
  ])("is refused at its field: %j", (level, path, message) => {
    const checked = checkPolicy(policyWith([level]));
    expect(checked.ok ? [] : checked.problems).toEqual([{ path, message: expect.stringMatching(message) }]);
  });

  it("is counted in fixed windows alone, also that of a tier, and is not of the length of another level", () => {
    const problemsOf = (policy: unknown) => {
      const checked = checkPolicy(policy);
      return checked.ok ? [] : checked.problems.map(({ path }) => path);
    };
    expect(problemsOf(policyWith([month], { algorithm: "gcra" }))).toEqual(["rules[0].algorithm"]);
    const tiers = { pro: { levels: [month] } };
    expect(problemsOf(policyWith("tier", { algorithm: "sliding" }, tiers))).toEqual(["rules[0].algorithm"]);
    expect(problemsOf(policyWith("tier", {}, tiers))).toEqual([]);
    expect(problemsOf(policyWith([month, { limit: 1, periodSeconds: 2_678_400 }]))).toEqual([
      "rules[0].levels[1].periodSeconds",
    ]);
  });

  it("is stored beside the policy, so that a node of an earlier version counts windows of about its length", () => {
    const policy = requirePolicy(
      policyWith("tier", {}, { pro: { levels: [{ limit: 5, periodSeconds: 60 }, month] } }),
    );
    const text = writePolicy({ version: 1, at: "", by: "", reason: "", policy });
    const said = JSON.parse(text);
    expect(said.policy.tiers.pro.levels[1]).toEqual({ limit: 10, periodSeconds: 2_678_400 });
    expect(said.calendars).toEqual({
      tiers: { pro: { 1: { period: "month", timeZone: "Europe/Berlin", startsOn: 15 } } },
    });
    expect(parsePolicy(text)).toMatchObject({ ok: true, stored: { policy } });
    const elsewhere = parsePolicy(text.replace("Europe/Berlin", "Mars/Base"));
    expect(elsewhere.ok && elsewhere.stored.unknownTimeZones).toEqual(["Mars/Base"]);
    expect(elsewhere.ok && elsewhere.stored.policy.tiers.pro?.levels[1]).toEqual({
      limit: 10,
      periodSeconds: 2_678_400,
    });
  });

  it("is said with its time zone and its first day", () => {
    expect(
      sayLevels([month, { limit: 1_000, period: "day", timeZone: "UTC", periodSeconds: 86_400 }] as Level[]),
    ).toBe("10 per month from day 15 in Europe/Berlin and 1,000 per day in UTC");
  });
});
