import { expect, it } from "vitest";
import { importUpstash } from "./upstash.ts";
import { type ImportCase, summaryOf } from "./vitest.imports.ts";

/** Files as they are in apps and in the documentation of @upstash/ratelimit. */
const cases: Readonly<Record<string, ImportCase>> = {
  "the readme of the library": {
    source: `
import { Ratelimit } from "@upstash/ratelimit"; // for deno: see above
import { Redis } from "@upstash/redis";
// Create a new ratelimiter, that allows 10 requests per 10 seconds
const ratelimit = new Ratelimit({
  redis: Redis.fromEnv(),
  limiter: Ratelimit.slidingWindow(10, "10 s"),
  analytics: true,
  /** Optional prefix for the keys used in redis. */
  prefix: "@upstash/ratelimit",
});
// Use a constant string to limit all requests with a single ratelimit
const identifier = "api";
const { success } = await ratelimit.limit(identifier);
`,
    rules: ['upstash/ratelimit: sliding 10/10 {"code":"all"}'],
    notes: [
      "5: The app says which requests are limited, so the rule counts every path.",
      '14: All clients share one limit ("api").',
    ],
  },
  "middleware of Next": {
    source: `
import { NextResponse, type NextRequest } from 'next/server';
import { Ratelimit } from '@upstash/ratelimit';
import { kv } from '@vercel/kv';
const ratelimit = new Ratelimit({ redis: kv, limiter: Ratelimit.slidingWindow(5, '10 s') });
export const config = { matcher: '/' };
export default async function middleware(request: NextRequest) {
  const ip = request.ip ?? '127.0.0.1';
  const { success, pending, limit, reset, remaining } = await ratelimit.limit(ip);
  return success ? NextResponse.next() : NextResponse.redirect(new URL('/blocked', request.url));
}
`,
    rules: ['ratelimit: sliding 5/10 {"code":"ratelimit"}'],
    notes: [
      "5: The app says which requests are limited, so the rule counts every path.",
      "9: ip is code, which a policy does not hold.",
    ],
  },
  "by address": {
    source: `
const limiter = new Ratelimit({ redis, limiter: Ratelimit.fixedWindow(100, "1 m"), prefix: "api" });
await limiter.limit(req.ip ?? "");
`,
    rules: ['api: fixed 100/60 "ip"'],
    notes: ["2: The app says which requests are limited, so the rule counts every path."],
  },
  "several plans": {
    source: `
export const ratelimit = {
  free: new Ratelimit({ redis, analytics: true, prefix: "ratelimit:free", limiter: Ratelimit.slidingWindow(10, "10s") }),
  paid: new Ratelimit({ redis, analytics: true, prefix: "ratelimit:paid", limiter: Ratelimit.slidingWindow(60, "10s") }),
};
await ratelimit.free.limit(ip);
await ratelimit.paid.limit(userId);
`,
    rules: [
      'ratelimit/free: sliding 10/10 {"code":"ratelimit-free"}',
      'ratelimit/paid: sliding 60/10 {"code":"ratelimit-paid"}',
    ],
    notes: [
      "3: The app says which requests are limited, so the rule counts every path.",
      "4: The app says which requests are limited, so the rule counts every path.",
      "6: ip is code, which a policy does not hold.",
      "7: userId is code, which a policy does not hold.",
    ],
  },
  "a token bucket": {
    source: `
const bucket = new Ratelimit({ redis, limiter: Ratelimit.tokenBucket(5, "10 s", 10), ephemeralCache: new Map() });
await bucket.limit(c.req.header("x-user"));
`,
    rules: ['bucket: gcra 10/20 {"header":"x-user"}'],
    notes: [
      "2: Upstash refills 5 tokens at once; GCRA refills evenly.",
      "2: The app says which requests are limited, so the rule counts every path.",
    ],
  },
  "a cached window and a timeout": {
    source: `
const cached = new Ratelimit({ redis, timeout: 1000, limiter: Ratelimit.cachedFixedWindow(10, "1 d"), enableProtection: true });
cached.limit(request.headers.get("x-api-key"));
`,
    rules: ['cached: fixed 10/86400 {"header":"x-api-key"}'],
    notes: [
      "2: A cached window lets each process count late; the rule is exact.",
      "2: The app says which requests are limited, so the rule counts every path.",
      "2: timeout has no field in a rule.",
      "2: enableProtection has no field in a rule.",
    ],
  },
  "a rate": {
    source: `
const ai = new Ratelimit({ redis, limiter: Ratelimit.fixedWindow(100_000, "1 h"), prefix: "tokens" });
await ai.limit(req.user.id, { rate: tokensOf(prompt) });
const batch = new Ratelimit({ redis, limiter: Ratelimit.fixedWindow(100, "1 h"), prefix: "batch" });
await batch.limit(req.user.id, { rate: 5 });
`,
    rules: ['tokens: fixed 100000/3600 "user" {"cost":"request"}', 'batch: fixed 100/3600 "user" {"cost":5}'],
    notes: [
      "2: The app says which requests are limited, so the rule counts every path.",
      "3: The rate is code.",
      "3: The rule counts users.",
      "4: The app says which requests are limited, so the rule counts every path.",
      "5: The rule counts users.",
    ],
  },
  "several regions": {
    source: `
import { MultiRegionRatelimit } from "@upstash/ratelimit";
const limiter = new MultiRegionRatelimit({ redis: [us, eu], limiter: MultiRegionRatelimit.slidingWindow(10, "10 s"), dynamicLimits: true });
`,
    rules: ['limiter: sliding 10/10 "ip"'],
    notes: [
      "3: No call of limit in this file says what is counted: the rule counts addresses.",
      "3: The app says which requests are limited, so the rule counts every path.",
      "3: dynamicLimits has no field in a rule.",
    ],
  },
  "windows of the environment": {
    source: `
const limiter = new Ratelimit({ redis, limiter: Ratelimit.slidingWindow(env.LIMIT, env.WINDOW) });
`,
    rules: [],
    notes: [
      "2: the number of tokens is env.LIMIT, which is no number in this file: no rule was made.",
      "2: env.WINDOW is no duration in this file: no rule was made.",
    ],
  },
  "a window in ms": {
    source: `
const limiter = new Ratelimit({ redis, limiter: Ratelimit.slidingWindow(10, "2500 ms"), analytics: false });
`,
    rules: ['limiter: sliding 10/3 "ip"'],
    notes: [
      "2: 2500 ms are no whole seconds: the rule has 3 s.",
      "2: No call of limit in this file says what is counted: the rule counts addresses.",
      "2: The app says which requests are limited, so the rule counts every path.",
    ],
  },
  "a constant window": {
    source: `
const WINDOW = "1 h";
const MOST = 20;
const limiter = new Ratelimit({ redis, limiter: Ratelimit.fixedWindow(MOST, WINDOW) });
const { success } = await limiter.blockUntilReady("a b", 30_000);
`,
    rules: ['limiter: fixed 20/3600 {"code":"all"}'],
    notes: [
      "4: The app says which requests are limited, so the rule counts every path.",
      '5: All clients share one limit ("a b").',
    ],
  },
  "a limiter by code": {
    source: `
function create(tokens: number) { return new Ratelimit({ redis, limiter: Ratelimit.slidingWindow(tokens, "10 s") }); }
new Ratelimit(options());
`,
    rules: [],
    notes: [
      "2: the number of tokens is tokens, which is no number in this file: no rule was made.",
      "3: The limiter is made by code: no rule was made.",
    ],
  },
};

it.each(Object.entries(cases))("%s", (_, { source, ...expected }) => {
  expect(summaryOf(importUpstash(source))).toEqual(expected);
});
