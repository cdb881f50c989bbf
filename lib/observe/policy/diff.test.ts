import { expect, it } from "vitest";
import { requirePolicy } from "../../enforce/policy/schema.ts";
import { defaultPolicy } from "../../enforce/policy/stored.ts";
import { diffPolicies } from "./diff.ts";

const changed = (change: (policy: ReturnType<typeof copy>) => void) => {
  const policy = copy();
  change(policy);
  return diffPolicies(defaultPolicy, requirePolicy(policy));
};
const copy = () => structuredClone(defaultPolicy);

it("says nothing of policies that say the same", () => {
  expect(changed(() => {})).toEqual([]);
});

it("says what is new, gone, changed and in another order", () => {
  const says = changed((policy) => {
    policy.mode = "shadow";
    const [first, second, third] = policy.rules;
    if (!first || !second || !third) throw new Error("the fresh install has changed");
    policy.rules = [
      third,
      {
        ...first,
        levels: [{ limit: 400, periodSeconds: 300 }],
        mode: "off",
        client: { header: "x-key" },
      } as typeof first,
      {
        ...second,
        name: "money",
        cost: "request",
        ban: { after: 5, withinSeconds: 60, forSeconds: 3_600, capSeconds: 86_400 },
      },
    ];
    policy.tiers = {
      pro: { levels: [{ limit: 1, periodSeconds: 90 }] },
      gold: { levels: [{ limit: 9, periodSeconds: 172_800 }] },
      free: copy().tiers.free ?? { levels: [] },
    };
  });
  expect(says).toEqual([
    "The mode goes from enforce to shadow.",
    "Rule req/ip/2 is removed.",
    "Rule rate/ip is removed.",
    "Rule req/ip/1, counted by: ip → header x-key.",
    "Rule req/ip/1, limits: 300 per 5 min → 400 per 5 min.",
    "Rule req/ip/1, mode: enforce → off.",
    "Rule money is new: 600 per 30 min, counted by ip in a fixed window. It matches anonymous; except /_next/static.",
    "The rules' order goes from req/ip/1, req/customer to req/customer, req/ip/1.",
    "Tier pro: 100 per 1 min and 5,000 per 1 h → 1 per 90 s.",
    "Tier enterprise is removed.",
    "Tier gold is new: 9 per 2 days.",
  ]);
});

it("tells what became of each rule that denies or exempts requests", () => {
  const bots = { name: "no-bots", action: "deny", match: { userAgents: ["acme-bot"] } };
  const health = { name: "health", action: "exempt", match: { only: ["/health"] } };
  const shop = { name: "shop", action: "deny", match: { countries: ["DE"], feeds: ["tor"] } };
  const policy = (...requestRules: object[]) => requirePolicy({ ...defaultPolicy, requestRules });
  const full = {
    ...{ tools: ["scanners"], exceptCountries: ["AT"], verifiedBot: true, methods: ["POST"] },
    headers: [
      { name: "a", contains: ["x"] },
      { name: "b", is: ["y"] },
      { name: "c", isPresent: false },
    ],
  };
  const before = policy(bots, health);
  const after = policy(
    { ...health, mode: "shadow" },
    { ...bots, response: { status: 404, message: "Gone." } },
    { ...shop, mode: "shadow" },
    { name: "full", action: "deny", match: full },
  );
  expect(diffPolicies(before, after)).toEqual([
    "Exempt rule health, mode: enforce → shadow.",
    'Deny rule no-bots, action: deny with 403 → deny with 404 "Gone.".',
    "Deny rule shop is new: deny with 403, mode shadow. It matches countries DE; feeds tor.",
    "Deny rule full is new: deny with 403. It matches methods POST; known tools: scanners; header a with x; header b: y; without header c; not countries AT; verified bots.",
    "The order of deny and exempt rules goes from no-bots, health to health, no-bots.",
  ]);
  expect(diffPolicies(before, defaultPolicy)).toEqual([
    "Deny rule no-bots is removed.",
    "Exempt rule health is removed.",
  ]);
});

it("says that another tier is the default one", () => {
  const says = changed((policy) => {
    policy.defaultTier = "free";
  });
  expect(says).toEqual(["The default tier: none → free."]);
});

it("has words for everything that a rule can say", () => {
  const rule = (given: object) =>
    requirePolicy({
      mode: "enforce",
      rules: [
        { name: "a", client: "ip", algorithm: "fixed", levels: [{ limit: 1, periodSeconds: 1 }], ...given },
      ],
      tiers: { free: { levels: [{ limit: 1, periodSeconds: 1 }] } },
    });
  const difference = (given: object) => diffPolicies(rule({}), rule(given));
  const rated = {
    algorithm: "earrrl",
    levels: [{ limitPerSecond: 0.5, halfLifeSeconds: 10, overageWeight: 0.2 }],
  };
  expect([
    ...difference(rated),
    ...difference({ client: "customer", levels: "tier" }),
    ...difference({ client: { all: ["broad", { cookie: "sid" }, { code: "tenant" }] } }),
    ...difference({ client: "user", requireBasic: true }),
    ...difference({ cost: 250, ipv6Prefix: 48, onStoreError: "closed" }),
    ...difference({ response: { status: 503, message: "Over Rate Limit" } }),
    ...difference({ ban: { after: 5, withinSeconds: 60, forSeconds: 3_600, capSeconds: 86_400 } }),
    ...difference({
      match: {
        only: ["/a"],
        except: ["/b"],
        methods: ["get"],
        apps: ["x"],
        exceptApps: ["y"],
        who: "anonymous",
      },
    }),
  ]).toEqual([
    "Rule a, limits: 1 per 1 s → 0.5/s with a half-life of 10 s, overage weighing 0.2.",
    "Rule a, counted in: a fixed window → EARRRL.",
    "Rule a, counted by: ip → customer.",
    "Rule a, limits: 1 per 1 s → by the customer's tier.",
    "Rule a, counted by: ip → broad fingerprint and cookie sid and code tenant.",
    "Rule a, counted by: ip → user.",
    "Rule a, Basic users: not required → required.",
    "Rule a, cost: 1 → 250.",
    "Rule a, when Redis is away: open → closed.",
    "Rule a, IPv6 network: /64 → /48.",
    'Rule a, answer: 429 → 503 "Over Rate Limit".',
    "Rule a, ban: none → for 1 h after 5 denials in 1 min, at most 1 day.",
    "Rule a, matches: every request → anonymous; only /a; except /b; methods GET; apps x; not apps y.",
  ]);
});

it("says what attack mode adds from now on, and what of it changed", () => {
  const [first] = defaultPolicy.rules;
  if (!first) throw new Error("the fresh install has changed");
  const own = { ...first, name: "attack/login", levels: [{ limit: 5, periodSeconds: 60 }] } as typeof first;
  const says = changed((policy) => {
    policy.attack = { rules: [own] };
  });
  expect(says).toEqual([
    "Attack rule attack/ip is removed.",
    "Attack rule attack/login is new: 5 per 1 min, counted by ip in a fixed window. It matches anonymous; except /_next/static.",
  ]);
  const stricter = { ...own, levels: [{ limit: 2, periodSeconds: 60 }] } as typeof first;
  const [before, after] = [own, stricter].map((rule) => ({ ...defaultPolicy, attack: { rules: [rule] } }));
  if (!before || !after) throw new Error("two policies");
  expect(diffPolicies(before, after)).toEqual([
    "Attack rule attack/login, limits: 5 per 1 min → 2 per 1 min.",
  ]);
});
