import type { CustomerNow } from "@/lib/queries/customer.ts";

const free = [{ limit: 100, periodSeconds: 3_600 }];
const pro = [
  { limit: 100, periodSeconds: 60 },
  { limit: 5_000, periodSeconds: 3_600 },
];

/** A customer of the tier Free, but for what the test says. */
export function customerAs(given: Partial<CustomerNow> = {}): CustomerNow {
  return {
    id: "1042",
    now: 0,
    basedOn: "0123456789abcdef-7",
    mode: "enforce",
    tiers: [
      { name: "free", levels: free },
      { name: "pro", levels: pro },
    ],
    defaultTier: null,
    tier: { name: "free", isKnown: true, expiresAt: null },
    override: null,
    suspension: null,
    nodesWithoutSuspensions: [],
    session: null,
    from: "tier",
    shared: [],
    levels: free,
    usage: [],
    flags: [],
    ...given,
  };
}

/** The same with levels of its own. */
export function withOwn(levels: { limit: number; periodSeconds: number }[], expiresAt: number | null = null) {
  return customerAs({
    override: { levels, expiresAt, note: { reason: "launch" } },
    from: "override",
    levels,
  });
}
