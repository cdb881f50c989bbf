/** Rules and customers' limits of the demonstration. */

/** @typedef {import("../dist/enforce/policy/schema.js").Policy} Policy */

/** Sign-in attempts of one address. Its ban blocks the address for an hour. */
const login = {
  name: "login",
  match: { only: ["/session"], methods: ["POST"] },
  client: "ip",
  algorithm: "rolling-list",
  levels: [{ limit: 10, periodSeconds: 60 }],
  ban: { after: 20, withinSeconds: 600, forSeconds: 3_600, capSeconds: 86_400 },
};

/** In shadow: it reports the requests that it would deny. */
const search = {
  name: "search",
  match: { only: ["/search"] },
  client: "ip",
  algorithm: "sliding",
  levels: [{ limit: 30, periodSeconds: 60 }],
  mode: "shadow",
};

/** The versions after that of a fresh install, each made from the one before it.
 * @type {readonly { reason: string; change: (policy: Policy) => unknown }[]}
 */
export const policyVersions = [
  {
    reason: "Password guessing on /session",
    change: (policy) => ({ ...policy, rules: [...policy.rules, login] }),
  },
  {
    reason: "Search is expensive: watch it before it is enforced",
    change: (policy) => ({ ...policy, rules: [...policy.rules, search] }),
  },
  {
    reason: "10 sign-ins a minute are still too many guesses",
    change: (policy) => ({
      ...policy,
      rules: policy.rules.map((rule) =>
        rule.name === login.name ? { ...rule, levels: [{ limit: 5, periodSeconds: 60 }] } : rule,
      ),
    }),
  },
  {
    reason: "Customers without a plan get the free tier",
    change: (policy) => ({ ...policy, defaultTier: "free" }),
  },
];

export const tiers = {
  1042: "free",
  2210: "pro",
  3307: "pro",
  5518: "free",
  acme: "enterprise",
  globex: "enterprise",
};

export const overrides = [
  {
    id: "3307",
    levels: [{ periodSeconds: 60, limit: 20 }],
    days: 7,
    reason: "Runs its import too often, until it is fixed",
  },
  {
    id: "globex",
    levels: [
      { periodSeconds: 60, limit: 400 },
      { periodSeconds: 3_600, limit: 20_000 },
    ],
    days: 30,
    reason: "Quarter-end reports",
  },
];
