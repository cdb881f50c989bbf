import { type Policy, policySchema } from "./schema.ts";

/** What a browser fetches beside a page: it says nothing about who asks too much. */
const staticAssets = ["/_next/static", "/assets", "/static", "/favicon.ico", "/robots.txt"];

const ladder = {
  match: { except: staticAssets, who: "anonymous" },
  client: "ip",
  algorithm: "fixed",
} as const;

/** A fresh install: a ladder for whoever is not known, tiers for customers, and EARRRL to be judged before it bites. */
export const defaultPolicy: Policy = policySchema.parse({
  mode: "enforce",
  rules: [
    { ...ladder, name: "req/ip/1", levels: [{ limit: 300, periodSeconds: 300 }] },
    { ...ladder, name: "req/ip/2", levels: [{ limit: 600, periodSeconds: 1_800 }] },
    {
      name: "req/customer",
      match: { except: staticAssets, who: "customers" },
      client: "customer",
      algorithm: "fixed",
      levels: "tier",
    },
    {
      name: "rate/ip",
      match: { except: staticAssets },
      client: "ip",
      algorithm: "earrrl",
      levels: [{ limitPerSecond: 10, halfLifeSeconds: 60 }],
      mode: "shadow",
    },
  ],
  tiers: {
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
  },
});
