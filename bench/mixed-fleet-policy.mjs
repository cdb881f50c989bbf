// The policy of the mixed fleet, with fields alone that the old nodes know, and what it says of a few requests in a row.

/** @typedef {import("./mixed-fleet-nodes.mjs").Request} Request */
/** @typedef {{ outcome: "pass" | "throttled", rule?: string, shadowed?: string[] }} Expected */
/**
 * Requests of a client that no node has met, sent one after another through all nodes.
 * @typedef {object} Sequence
 * @property {string} name
 * @property {(n: number) => Request} request of the client number n
 * @property {readonly { cost?: number, expected: Expected }[]} steps
 */

/** All periods are multiples of it, so that all windows end at once. */
export const windowSeconds = 10;
const periodSeconds = 2 * windowSeconds;

/** @param {string} path */
const under = (path) => ({ only: [path] });
const windows = ["fixed", "sliding", "first-hit", "rolling-list", "rolling-set", "gcra"];
const limit = 4;

/** @param {{ crowdLimit: number, slack?: number }} changes */
export const policyOf = ({ crowdLimit, slack }) => ({
  mode: "enforce",
  rules: [
    ...windows.map((algorithm) => ({
      ...{ name: algorithm, match: under(`/exact/${algorithm}`), client: "ip", algorithm },
      levels: [{ limit, periodSeconds }],
    })),
    {
      ...{ name: "rate", match: under("/exact/rate"), client: "ip", algorithm: "earrrl" },
      levels: [{ limitPerSecond: 0.25, halfLifeSeconds: 10 }],
    },
    {
      ...{ name: "ladder", match: under("/exact/ladder"), client: "ip", algorithm: "fixed" },
      levels: [
        { limit: 3, periodSeconds },
        { limit: 5, periodSeconds: 60 },
      ],
    },
    {
      ...{ name: "watched", match: under("/exact/ladder"), client: "ip", algorithm: "fixed", mode: "shadow" },
      levels: [{ limit: 2, periodSeconds }],
    },
    {
      ...{ name: "money", match: under("/exact/money"), client: "ip", algorithm: "fixed", cost: "request" },
      levels: [{ limit: 100, periodSeconds }],
    },
    {
      ...{ name: "key", match: under("/exact/key"), client: { header: "x-key" }, algorithm: "fixed" },
      levels: [{ limit, periodSeconds }],
    },
    {
      name: "busy",
      match: under("/exact/busy"),
      client: "ip",
      algorithm: "fixed",
      levels: [{ limit, periodSeconds }],
      response: { status: 503, message: "Try later." },
    },
    {
      ...{ name: "login", match: under("/login"), client: "ip", algorithm: "fixed" },
      levels: [{ limit: 2, periodSeconds: 60 }],
      ban: { after: 4, withinSeconds: 60, forSeconds: banSeconds, capSeconds: banSeconds },
    },
    {
      ...{ name: "crowd", match: under("/crowd"), client: "ip", algorithm: "fixed" },
      levels: [{ limit: crowdLimit, periodSeconds: windowSeconds }],
    },
    {
      ...{ name: "slack", match: under("/slack"), client: "ip", algorithm: "fixed" },
      levels: [{ limit: crowdLimit, periodSeconds: windowSeconds }],
      ...(slack !== undefined && { slack }),
    },
    {
      name: "req/customer",
      match: { ...under("/customer"), who: "customers" },
      client: "customer",
      algorithm: "fixed",
      levels: "tier",
    },
  ],
  tiers,
});

export const banSeconds = 8;

/** Those of a fresh install. */
export const tiers = {
  free: { levels: [{ limit: 100, periodSeconds: 3_600 }] },
  pro: {
    levels: [
      { limit: 100, periodSeconds: 60 },
      { limit: 5_000, periodSeconds: 3_600 },
    ],
  },
  enterprise: {
    levels: [
      { limit: 200, periodSeconds: 60 },
      { limit: 10_000, periodSeconds: 3_600 },
    ],
  },
};

/** Rules that count anonymous clients on a fresh install, each with its slack for nodes that know it. */
export const freshInstallLevels = [
  { rule: "req/ip/1", limit: 300, periodSeconds: 300, slack: 0.1 },
  { rule: "req/ip/2", limit: 600, periodSeconds: 1_800, slack: 0.1 },
];

/** @param {number} n */
export const addressOf = (n) => `11.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

const pass = /** @type {const} */ ({ outcome: "pass" });
/** @param {number} times @param {Expected} expected */
const repeated = (times, expected) => Array.from({ length: times }, () => ({ expected }));
/** @param {string} rule @returns {Expected} */
const deniedBy = (rule) => ({ outcome: "throttled", rule });

/** @type {readonly Sequence[]} */
export const sequences = [
  ...[...windows, "rate", "busy"].map((rule) => ({
    name: rule,
    request: (/** @type {number} */ n) => ({ ip: addressOf(n), path: `/exact/${rule}` }),
    steps: [...repeated(limit, pass), ...repeated(4, deniedBy(rule))],
  })),
  {
    name: "ladder",
    request: (n) => ({ ip: addressOf(n), path: "/exact/ladder" }),
    steps: [
      ...repeated(2, pass),
      { expected: { outcome: "pass", shadowed: ["watched"] } },
      ...repeated(4, { outcome: "throttled", rule: `ladder/${periodSeconds}`, shadowed: ["watched"] }),
    ],
  },
  {
    name: "money",
    request: (n) => ({ ip: addressOf(n), path: "/exact/money" }),
    steps: [
      ...[30, 30, 30].map((cost) => ({ cost, expected: pass })),
      { cost: 30, expected: deniedBy("money") },
      { cost: 11, expected: deniedBy("money") },
      { cost: 10, expected: pass },
      ...repeated(4, deniedBy("money")),
    ],
  },
  {
    name: "key",
    request: (n) => ({ ip: addressOf(n), path: "/exact/key", headers: { "x-key": `Key-${n}` } }),
    steps: [...repeated(limit, pass), ...repeated(4, deniedBy("key"))],
  },
];
