import fc from "fast-check";
import { algorithms, models } from "../algorithms/algorithms.ts";
import { type Policy, requirePolicy } from "../policy/schema.ts";

export const places = ["203.0.113.9", "203.0.113.0/24", "2001:db8::1", "2001:db8::/64", "2001:db8::/32"];
export const tooWide = ["0.0.0.0/0", "::/0"];

const common = fc.record(
  {
    match: fc.record(
      {
        who: fc.constantFrom("anyone", "anonymous", "customers"),
        only: fc.constant(["/login"]),
        methods: fc.constant(["POST"]),
        apps: fc.constantFrom(["shop"], ["other"]),
      },
      { requiredKeys: [] },
    ),
    client: fc.constantFrom(
      ...(["ip", "ip", "customer", "user", "user", "path", "standard"] as const),
      { header: "x-api-key" },
      { cookie: "sid", show: true },
      { code: "tenant" },
      { all: ["ip" as const, { header: "x-api-key" }] },
    ),
    cost: fc.constantFrom(1, 2, "request" as const),
    mode: fc.constantFrom("enforce", "enforce", "enforce", "shadow", "off"),
    requireBasic: fc.boolean(),
    response: fc.constant({ status: 503 as const }),
    onStoreError: fc.constantFrom("open", "closed", "closed", "model"),
  },
  { requiredKeys: [] },
);

const facts = fc.constantFrom(
  { only: ["/login"] },
  { only: ["/"] },
  { methods: ["POST"] },
  { userAgents: ["acme-bot"] },
  { tools: ["libraries" as const] },
  { headers: [{ name: "x-api-key", is: ["K1"] }] },
  { headers: [{ name: "cookie", isPresent: false }] },
  { headers: [{ name: "authorization", contains: ["basic"] }] },
  { countries: ["DE"] },
  { exceptCountries: ["DE"] },
  { feeds: ["crawlers"] },
  { verifiedBot: true },
  { apps: ["other"] },
);
const requestRule = fc.record({
  action: fc.constantFrom("deny" as const, "exempt" as const),
  mode: fc.constantFrom("enforce" as const, "enforce" as const, "shadow" as const, "off" as const),
  match: fc
    .tuple(facts, fc.constantFrom({}, {}, { methods: ["POST"] }, { who: "customers" as const }))
    .map(([one, other]) => ({ ...one, ...other })),
});

/** Random policies with levels of these periods. */
export function policiesOf(periods: readonly number[]): fc.Arbitrary<Policy> {
  const windows = fc.uniqueArray(
    fc.record({ limit: fc.integer({ min: 1, max: 3 }), periodSeconds: fc.constantFrom(...periods) }),
    { minLength: 1, maxLength: 3, selector: ({ periodSeconds }) => periodSeconds },
  );
  const rates = fc.uniqueArray(
    fc.record({
      limitPerSecond: fc.constantFrom(0.0005, 0.01),
      halfLifeSeconds: fc.constantFrom(...periods),
    }),
    { minLength: 1, maxLength: 2, selector: ({ halfLifeSeconds }) => halfLifeSeconds },
  );
  const rule = fc
    .tuple(common, fc.constantFrom(...algorithms), windows, rates, fc.boolean(), fc.boolean())
    .map(([some, algorithm, levels, rateLevels, isTiered, isSettled]) => {
      const { client = "ip", requireBasic = false } = some;
      const usual = { ...some, client, requireBasic: requireBasic && client === "user" };
      if (algorithm === "earrrl") return { ...usual, algorithm, levels: rateLevels };
      if (algorithm === "concurrent") return { ...usual, algorithm, levels: levels.slice(0, 1) };
      const hasTier = isTiered && client === "customer" && some.match?.who !== "anonymous";
      const counts = models[algorithm].findsUsed && isSettled ? { countWhen: "failed" as const } : {};
      return { ...usual, ...counts, algorithm, levels: hasTier ? "tier" : levels };
    });
  return fc
    .record({
      mode: fc.constantFrom("enforce", "enforce", "enforce", "shadow", "off"),
      rules: fc
        .array(rule, { maxLength: 4 })
        .map((rules) => rules.map((one, i) => ({ ...one, name: `rule/${i}` }))),
      tiers: fc.record({ free: fc.record({ levels: windows }), pro: fc.record({ levels: windows }) }),
      defaultTier: fc.constantFrom("free", undefined),
      requestRules: fc.option(
        fc
          .array(requestRule, { minLength: 1, maxLength: 3 })
          .map((rules) => rules.map((one, i) => ({ ...one, name: `request/${i}` }))),
        { nil: undefined, freq: 2 },
      ),
    })
    .map((policy) => requirePolicy(policy));
}

/** Some of them. Mostly none: with an entry for every address no rule would be reached. */
export const some = (of: readonly string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray([...of]));

export const requests = fc.record(
  {
    ip: fc.constantFrom("203.0.113.9", "203.0.113.9", "203.0.113.10", "2001:db8::1", "nonsense"),
    method: fc.constantFrom("GET", "POST"),
    path: fc.constantFrom("/login", "/"),
    headers: fc.constantFrom(
      { "x-api-key": "k1", cookie: "sid=1" },
      { authorization: "Bearer x", "user-agent": "curl/8.5.0", "x-country": "de" },
      { "user-agent": "Acme-Bot/1.0", "x-verified-bot": "true" },
      { authorization: `Basic ${btoa("ada:secret")}` },
    ),
    country: fc.constantFrom("DE", "FR"),
    verifiedBot: fc.boolean(),
    customerId: fc.constantFrom("1042", "7", "stranger", "no id"),
    cost: fc.constantFrom(0, 1, 3),
  },
  { requiredKeys: ["ip"] },
);
