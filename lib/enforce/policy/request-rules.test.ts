import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClientAddress } from "../../ip/block.ts";
import { blockOf, type Ip } from "../../ip/parse.ts";
import type { CustomerId } from "../../redis/keys.ts";
import type { Mode } from "./bounds.ts";
import { toolGroups } from "./edge-rules.ts";
import { type RuledRequest, Subject } from "./request.ts";
import { type ClientFacts, type RequestRule, RequestRules } from "./request-rules.ts";
import { checkPolicy, requirePolicy } from "./schema.ts";
import { innocentAgents, scannerAgents } from "./vitest.agents.ts";

const policyWith = (...requestRules: object[]) => ({ mode: "enforce", rules: [], tiers: {}, requestRules });
const rulesOf = (...rules: object[]): readonly RequestRule[] =>
  requirePolicy(policyWith(...rules)).requestRules ?? [];
const problems = (...rules: object[]) => {
  const checked = checkPolicy(policyWith(...rules));
  return checked.ok ? [] : checked.problems.map(({ path, message }) => `${path}: ${message}`);
};

const facts: ClientFacts = {
  isInFeed: (feed, { a }) => feed === "crawlers" && a >>> 24 === 203,
  isProtected: ({ a }) => a >>> 24 === 10,
};

interface Asked {
  readonly request?: RuledRequest;
  readonly ip?: string;
  readonly isCustomer?: boolean;
  readonly mode?: Mode;
  readonly app?: string;
}

function subjectOf({ request = {}, ip = "198.51.100.9", isCustomer = false }: Asked): Subject {
  const limits = { levels: [], from: "tier" } as const;
  const caller = isCustomer ? { id: "acme" as CustomerId, limits } : undefined;
  return new Subject(request, new ClientAddress(blockOf(ip as Ip)), caller);
}

function compiled(rules: readonly object[], { mode = "enforce", app = "shop" }: Asked = {}): RequestRules {
  const edgeHeaders = { country: "x-country", verifiedBot: "x-verified" };
  return new RequestRules(rulesOf(...rules), mode, { app, facts, edgeHeaders });
}

/** The rule that decides, and those in shadow before it. */
function rulingOf(rules: readonly object[], asked: Asked = {}) {
  const ruling = compiled(rules, asked).find(subjectOf(asked));
  return ruling && [ruling.decidedBy?.name, ...ruling.shadowed.map(({ name }) => name)];
}

const deny = (match: object, more: object = {}) => ({ name: "one", action: "deny", match, ...more });
const exempt = (match: object, more: object = {}) => ({ name: "one", action: "exempt", match, ...more });
const matches = (match: object, request: RuledRequest, more: Asked = {}) =>
  rulingOf([deny(match)], { request, ...more }) !== undefined;
const agent = (text: string) => ({ headers: { "user-agent": text } });

describe("a rule matches", () => {
  it.each<[string, object, RuledRequest, RuledRequest]>([
    ["a word of the user agent", { userAgents: ["Acme-Bot"] }, agent("my acme-BOT/2"), agent("acme bot")],
    ["known tools", { tools: ["libraries"] }, agent("curl/8.5.0"), agent("Mozilla/5.0 Firefox/143.0")],
    [
      "words at the end of a long user agent",
      { userAgents: ["evil"] },
      agent(`${"x".repeat(9_000)} evil`),
      agent("x".repeat(9_000)),
    ],
    [
      "a value of a header",
      { headers: [{ name: "X-Plan", is: ["free"] }] },
      { headers: { "x-plan": " FREE " } },
      { headers: { "x-plan": "freemium" } },
    ],
    [
      "a word in a header",
      { headers: [{ name: "referer", contains: ["spam.example"] }] },
      { headers: { Referer: "https://SPAM.example/x" } },
      {},
    ],
    [
      "a header that is missing",
      { headers: [{ name: "user-agent", isPresent: false }] },
      { headers: { accept: "*/*" } },
      agent("x"),
    ],
    [
      "each of several headers",
      {
        headers: [
          { name: "a", isPresent: true },
          { name: "b", is: ["1"] },
        ],
      },
      { headers: { a: "", b: "1" } },
      { headers: { b: "1" } },
    ],
    ["a path, read as servers do", { only: ["/wp-login.php"] }, { path: "//WP-login.php" }, { path: "/wp" }],
    ["a method", { methods: ["post"] }, { method: "POST" }, { method: "GET" }],
    ["a country that the app names", { countries: ["de"] }, { country: "DE" }, { country: "AT" }],
    [
      "a country that the edge names",
      { countries: ["DE"] },
      { headers: { "x-country": "de" } },
      { headers: { "cf-ipcountry": "de" } },
    ],
    ["every country but some", { exceptCountries: ["DE"] }, { country: "FR" }, { country: "DE" }],
    ["a verified bot", { verifiedBot: true }, { verifiedBot: true }, { verifiedBot: false }],
    [
      "a bot that the edge has verified",
      { verifiedBot: true },
      { headers: { "x-verified": "TRUE" } },
      { headers: { "x-verified": "false" } },
    ],
  ])("%s", (_, match, fitting, other) => {
    expect(matches(match, fitting)).toBe(true);
    expect(matches(match, other)).toBe(false);
  });

  it("a feed, whatever else it is for", () => {
    const match = { feeds: ["other", "crawlers"], only: ["/a"] };
    expect(matches(match, { path: "/a" }, { ip: "203.0.113.9" })).toBe(true);
    expect(matches(match, { path: "/b" }, { ip: "203.0.113.9" })).toBe(false);
    expect(matches(match, { path: "/a" }, { ip: "198.51.100.9" })).toBe(false);
    expect(matches({ feeds: ["other"] }, {}, { ip: "203.0.113.9" })).toBe(false);
  });

  it("no request of an unknown country, also not by exception", () => {
    for (const country of [undefined, "", "XX", "Germany"])
      for (const match of [{ countries: ["DE"] }, { exceptCountries: ["DE"] }])
        expect(matches(match, { country })).toBe(false);
  });

  it("what the app says, whatever the edge says", () => {
    const headers = { "x-country": "DE", "x-verified": "1" };
    expect(matches({ countries: ["DE"] }, { headers, country: "FR" })).toBe(false);
    expect(matches({ verifiedBot: true }, { headers, verifiedBot: false })).toBe(false);
  });

  it("anonymous requests or customers, and the apps that it names: the console only by name", () => {
    expect(matches({ who: "customers" }, {})).toBe(false);
    expect(matches({ who: "customers" }, {}, { isCustomer: true })).toBe(true);
    const everywhere = exempt({ only: ["/"] });
    const here = exempt({ only: ["/"], apps: ["console", "shop"] });
    const asked = { request: { path: "/x" }, app: "console" };
    expect(rulingOf([everywhere], asked)).toBeUndefined();
    expect(rulingOf([here], asked)).toEqual(["one"]);
  });
});

it("exempts a path only if every reading of it is exempt, and denies it if one reading is denied", () => {
  const request = (path: string) => ({ request: { path } });
  const path = { only: ["/health"] };
  for (const odd of ["/login/%2e%2e/health", "/health%2f..%2flogin", "/health;/../login", "/HEALTH"])
    expect([odd, rulingOf([exempt(path)], request(odd))?.[0]]).not.toEqual([odd, "one"]);
  expect(rulingOf([deny(path)], request("/HEALTH"))).toEqual(["one"]);
  expect(rulingOf([deny(path)], request("/login/%2e%2e/health"))).toEqual(["one"]);
  expect(rulingOf([exempt(path)], request("/health/live"))).toEqual(["one"]);
  const avoiding = exempt({ only: ["/api"], except: ["/api/login"] });
  expect(rulingOf([avoiding], request("/api/LOGIN"))).toBeUndefined();
  expect(rulingOf([avoiding], request("/api/cart"))).toEqual(["one"]);
});

describe("of several rules", () => {
  const bot = { ...agent("acme-bot"), path: "/" };
  const rules = [
    exempt({ only: ["/status"] }, { name: "status" }),
    deny({ userAgents: ["acme-bot"] }, { name: "watched", mode: "shadow" }),
    exempt({ only: ["/"] }, { name: "watched-too", mode: "shadow" }),
    deny({ only: ["/"] }, { name: "off", mode: "off" }),
    deny({ userAgents: ["acme"] }, { name: "acme" }),
    exempt({ only: ["/"] }, { name: "last" }),
  ];

  it("the first in force that matches decides, and those in shadow before it are named", () => {
    expect(rulingOf(rules, { request: { ...bot, path: "/status" } })).toEqual(["status"]);
    expect(rulingOf(rules, { request: bot })).toEqual(["acme", "watched", "watched-too"]);
    expect(rulingOf(rules, { request: { path: "/" } })).toEqual(["last", "watched-too"]);
  });

  it("none denies in mode shadow, exemptions stay, and mode off asks none", () => {
    expect(rulingOf(rules, { request: bot, mode: "shadow" })).toEqual([
      ...["last", "watched", "watched-too", "acme"],
    ]);
    expect(rulingOf(rules, { request: bot, mode: "off" })).toBeUndefined();
  });

  it("none denies a client in a protected range, also not in shadow", () => {
    expect(rulingOf(rules, { request: bot, ip: "10.0.0.9" })).toEqual(["last", "watched-too"]);
    expect(rulingOf(rules.slice(0, 5), { request: bot, ip: "10.0.0.9" })).toEqual([undefined, "watched-too"]);
  });
});

it("says of each rule why it matches or not, as it decides", () => {
  const rules = [
    deny({ userAgents: ["acme-bot"] }, { name: "watched", mode: "shadow" }),
    deny({ countries: ["DE", "AT"] }, { name: "country" }),
    deny({ only: ["/"] }, { name: "all", response: { status: 404 } }),
    exempt({ feeds: ["crawlers"] }, { name: "feed" }),
  ];
  const says = (asked: Asked) =>
    compiled(rules, asked)
      .explain(subjectOf(asked))
      .map((one) => one.says);
  expect(says({ request: agent("acme-bot") })).toEqual([
    "watched (deny): matches: would be denied, but the rule only watches.",
    "country (deny): the country is not known to be DE, AT.",
    "all (deny): matches: denied (404).",
    "feed (exempt): the client is in no feed of crawlers.",
  ]);
  expect(says({ ip: "203.0.113.9", request: { country: "DE" } })).toEqual([
    "watched (deny): the user agent is not known as acme-bot.",
    "country (deny): matches: denied (403).",
    "all (deny): matches, but country decides before it.",
    "feed (exempt): matches, but country decides before it.",
  ]);
  expect(says({ ip: "10.0.0.9" })[2]).toBe(
    "all (deny): matches, but is not enforced: the client is in a protected range.",
  );
});

it("finds the same rule as its explanation, on any request", () => {
  const fields = fc.record(
    {
      only: fc.constantFrom(["/a"], ["/"]),
      methods: fc.constant(["POST"]),
      userAgents: fc.constant(["acme"]),
      countries: fc.constantFrom(["DE"], ["FR"]),
      feeds: fc.constant(["crawlers"]),
    },
    { requiredKeys: [] },
  );
  const rule = fc.record({
    match: fields.filter((match) => Object.keys(match).length > 0),
    action: fc.constantFrom("deny", "exempt"),
    mode: fc.constantFrom("enforce", "shadow"),
  });
  const request = fc.record(
    {
      path: fc.constantFrom("/a", "/b"),
      method: fc.constantFrom("GET", "POST"),
      country: fc.constantFrom("DE", "FR"),
      headers: fc.constantFrom({ "user-agent": "acme" }, {}),
    },
    { requiredKeys: [] },
  );
  const ip = fc.constantFrom("203.0.113.9", "198.51.100.9", "10.0.0.9");
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 5 }), request, ip, (given, asked, from) => {
      const named = given.map((one, i) => ({ ...one, name: `r${i}` }));
      const rules = compiled(named);
      const subject = subjectOf({ request: asked, ip: from });
      const ruling = rules.find(subject);
      const readings = rules.explain(subject);
      expect(readings.find(({ isDeciding }) => isDeciding)?.rule).toBe(ruling?.decidedBy?.name);
      const before = readings.slice(0, readings.findIndex(({ isDeciding }) => isDeciding) >>> 0);
      expect(before.filter(({ matches }) => matches).map(({ rule }) => rule)).toEqual(
        ruling?.shadowed.map(({ name }) => name) ?? [],
      );
    }),
  );
});

describe("what a person can act on", () => {
  it.each<[string, object, ...string[]]>([
    [
      "nothing",
      deny({}),
      "requestRules[0].match: name what the rule matches: without that, it would decide every request",
    ],
    [
      "an extension alone",
      exempt({ anyExtension: true }),
      "requestRules[0].match: name what the rule matches: without that, it would decide every request",
    ],
    [
      "not a bot alone",
      deny({ verifiedBot: false }),
      "requestRules[0].match: name what the rule matches: without that, it would decide every request",
    ],
    [
      "the console",
      deny({ apps: ["console"], only: ["/"] }),
      "requestRules[0].match.apps: leave console out: a rule must not lock its operators out",
    ],
    [
      "browsers",
      deny({ userAgents: ["Chrome"] }),
      "requestRules[0].match.userAgents: ordinary browsers name themselves so, too: write a word that only the tool uses, or match something else as well",
    ],
    [
      "an answer of an exemption",
      exempt({ only: ["/"] }, { response: {} }),
      "requestRules[0].response: leave it out: an exempt rule answers nothing",
    ],
    [
      "another action",
      { ...deny({ only: ["/"] }), action: "drop" },
      "requestRules[0].action: write one of deny, exempt",
    ],
    [
      "another status",
      deny({ only: ["/"] }, { response: { status: 200 } }),
      "requestRules[0].response.status: write one of 403, 404, 410, 451",
    ],
    [
      "an unknown group",
      deny({ tools: ["bots"] }),
      "requestRules[0].match.tools[0]: write one of scanners, libraries, headless, ai-crawlers, seo-crawlers",
    ],
    [
      "two tests of a header",
      deny({ headers: [{ name: "a", is: ["1"], isPresent: true }] }),
      "requestRules[0].match.headers[0]: name exactly one of contains, is, isPresent",
    ],
    [
      "a country in words",
      deny({ countries: ["Germany"] }),
      "requestRules[0].match.countries[0]: write a country by the two letters of ISO 3166: DE",
    ],
    [
      "an unknown field",
      deny({ only: ["/"], city: "x" }),
      "requestRules[0].match.city: there is no such field here: check its spelling, or leave it out",
    ],
    [
      "a reserved name",
      deny({ only: ["/"] }, { name: "code/shop/x" }),
      'requestRules[0].name: "code/shop/x" is reserved for limits in code: choose another name',
    ],
  ])("refuses %s", (_, rule, ...said) => {
    expect(problems(rule)).toEqual(said);
  });

  it("refuses a name that another rule has, and an empty list", () => {
    const one = deny({ only: ["/a"] });
    const taken = 'another rule is named "one": give this one a name of its own';
    expect(problems(one, one)).toEqual([`requestRules[1].name: ${taken}`]);
    const limit = { name: "one", client: "ip", algorithm: "fixed", levels: [{ limit: 1, periodSeconds: 1 }] };
    const checked = checkPolicy({ ...policyWith(one), rules: [limit] });
    expect(checked).toMatchObject({ problems: [{ path: "requestRules[0].name", message: taken }] });
    expect(problems()).toEqual(["requestRules: name at least one of the rules, or leave the list out"]);
  });

  it("takes a browser's word beside something else", () => {
    expect(problems(deny({ userAgents: ["Chrome"], only: ["/admin"] }))).toEqual([]);
    expect(problems(exempt({ userAgents: ["Chrome"] }))).toEqual([]);
  });
});

describe("groups of known tools", () => {
  const groupsOf = (userAgent: string) =>
    Object.keys(toolGroups).filter((group) => matches({ tools: [group] }, agent(userAgent)));

  it("have words in lower case, each in one group", () => {
    const words = Object.values(toolGroups).flat();
    expect(words.filter((word) => word !== word.toLowerCase())).toEqual([]);
    expect(new Set(words).size).toBe(words.length);
  });

  it.each(scannerAgents)("%s is a scanner", (_, userAgent) =>
    expect(groupsOf(userAgent)).toContain("scanners"),
  );

  it.each([
    ["curl/8.5.0", "libraries"],
    ["python-requests/2.32.3", "libraries"],
    ["Go-http-client/1.1", "libraries"],
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36",
      "headless",
    ],
    [
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
      "ai-crawlers",
    ],
    ["Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)", "seo-crawlers"],
  ])("%s is of %s", (userAgent, group) => expect(groupsOf(userAgent)).toEqual([group]));

  it("have no browsers, apps of people and monitors", () => {
    const { browsers, monitors, "apps of people": apps, "feed readers": readers } = innocentAgents;
    for (const userAgent of [...browsers, ...monitors, ...apps, ...readers])
      expect([userAgent, groupsOf(userAgent)]).toEqual([userAgent, []]);
  });
});

it("answers no slower on hostile headers", () => {
  const rules = compiled([
    deny({ userAgents: ["acme-bot"], headers: [{ name: "referer", contains: ["spam", "more spam"] }] }),
    deny({ tools: Object.keys(toolGroups) }, { name: "two" }),
  ]);
  const long = "spa".repeat(5_000);
  const request = { headers: { "user-agent": `acme-bo${long}`, referer: long } };
  const startedAt = process.cpuUsage().user;
  for (let i = 0; i < 100; i++) rules.find(subjectOf({ request }));
  expect((process.cpuUsage().user - startedAt) / 1_000).toBeLessThan(2_000);
});
