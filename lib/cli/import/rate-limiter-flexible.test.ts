import { expect, it } from "vitest";
import { importRateLimiterFlexible } from "./rate-limiter-flexible.ts";
import { type ImportCase, summaryOf } from "./vitest.imports.ts";

/** Files as they are in apps and in the documentation of rate-limiter-flexible. */
const cases: Readonly<Record<string, ImportCase>> = {
  "the readme of the library": {
    source: `
const { RateLimiterMemory } = require("rate-limiter-flexible");
const opts = {
  points: 6, // 6 points
  duration: 1, // Per second
};
const rateLimiter = new RateLimiterMemory(opts);
rateLimiter.consume(remoteAddress, 2) // consume 2 points
    .then((rateLimiterRes) => { /* 2 points consumed */ })
    .catch((rateLimiterRes) => { /* Not enough points to consume */ });
`,
    rules: ['rate-limiter: first-hit 6/1 {"code":"rate-limiter"} {"cost":2}'],
    notes: [
      "3: The app says which requests consume points, so the rule counts every path.",
      "8: remoteAddress is code, which a policy does not hold.",
    ],
  },
  "Express middleware": {
    source: `
import { RateLimiterRedis } from 'rate-limiter-flexible';
const rateLimiter = new RateLimiterRedis({ storeClient: redisClient, keyPrefix: 'middleware', points: 10, duration: 1 });
export const rateLimiterMiddleware = (req, res, next) => {
  rateLimiter.consume(req.ip)
    .then(() => { next(); })
    .catch(() => { res.status(429).send('Too Many Requests'); });
};
`,
    rules: ['middleware: first-hit 10/1 "ip"'],
    notes: ["3: The app says which requests consume points, so the rule counts every path."],
  },
  "brute force of logins": {
    source: `
const maxWrongAttemptsByIPperDay = 100;
const maxConsecutiveFailsByUsernameAndIP = 10;
const limiterSlowBruteByIP = new RateLimiterRedis({
  storeClient: redisClient,
  keyPrefix: 'login_fail_ip_per_day',
  points: maxWrongAttemptsByIPperDay,
  duration: 60 * 60 * 24,
  blockDuration: 60 * 60 * 24, // Block for 1 day, if 100 wrong attempts per day
});
const limiterConsecutiveFailsByUsernameAndIP = new RateLimiterRedis({
  storeClient: redisClient,
  keyPrefix: 'login_fail_consecutive_username_and_ip',
  points: maxConsecutiveFailsByUsernameAndIP,
  duration: 60 * 60 * 24 * 90, // Store number for 90 days since first fail
  blockDuration: 60 * 60, // Block for 1 hour
});
const getUsernameIPkey = (username, ip) => username + "_" + ip;
async function loginRoute(req, res) {
  const ipAddr = req.ip;
  const promises = [limiterSlowBruteByIP.consume(ipAddr)];
  promises.push(limiterConsecutiveFailsByUsernameAndIP.consume(getUsernameIPkey(req.body.email, ipAddr)));
}
`,
    rules: [
      'login_fail_ip_per_day: first-hit 100/86400 {"code":"login_fail_ip_per_day"}',
      'login_fail_consecutive_username_and_ip: first-hit 10/7776000 {"code":"login_fail_consecutive_username_and_ip"}',
    ],
    notes: [
      "4: The app says which requests consume points, so the rule counts every path.",
      "9: blockDuration has no equal in a rule.",
      "11: The app says which requests consume points, so the rule counts every path.",
      "16: blockDuration has no equal in a rule.",
      "21: ipAddr is code, which a policy does not hold.",
      "22: getUsernameIPkey(req.body.email, ipAddr) is code, which a policy does not hold.",
    ],
  },
  insurance: {
    source: `
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
const rateLimiterMemory = new RateLimiterMemory({ points: 60, duration: 60 });
const rateLimiterRedis = new RateLimiterRedis({
  storeClient: redisClient, points: 300, duration: 60,
  inMemoryBlockOnConsumed: 301, inMemoryBlockDuration: 60,
  insuranceLimiter: rateLimiterMemory,
});
await rateLimiterRedis.consume(request.ip);
`,
    rules: ['rate-limiter-redis: first-hit 300/60 "ip" {"onStoreError":"model"}'],
    notes: [
      "3: insuranceLimiter has limits of its own.",
      "4: The app says which requests consume points, so the rule counts every path.",
    ],
  },
  "users and a cost by code": {
    source: `
import { RateLimiterPostgres as Limiter } from "rate-limiter-flexible";
const limiter = new Limiter({ storeClient: pool, keyPrefix: "graphql", points: 1000, duration: 3600, tableName: "limits" }, ready);
app.use(async (req, res, next) => { await limiter.consume(req.user.id, complexityOf(req.body)); next(); });
`,
    rules: ['graphql: first-hit 1000/3600 "user" {"cost":"request"}'],
    notes: [
      "3: The app says which requests consume points, so the rule counts every path.",
      "4: The rule counts users.",
      "4: The cost complexityOf(req.body) is code.",
    ],
  },
  "a wrapped insurance and evenly spread": {
    source: `
const limiter = new RateLimiterRedis({
  storeClient, points: 10, duration: 10, execEvenly: true, blockDuration: 0,
  insuranceLimiter: new RateLimiterMemory({ points: 1, duration: 10 }),
});
limiter.consume(req.headers["x-api-key"]);
`,
    rules: ['limiter: first-hit 10/10 {"header":"x-api-key"} {"onStoreError":"model"}'],
    notes: [
      "2: The app says which requests consume points, so the rule counts every path.",
      "3: execEvenly has no equal in a rule.",
      "4: insuranceLimiter has limits of its own.",
    ],
  },
  "a union and a burst": {
    source: `
const { RateLimiterUnion, RateLimiterMemory, BurstyRateLimiter } = require("rate-limiter-flexible");
const limiter1 = new RateLimiterMemory({ keyPrefix: "second", points: 1, duration: 1 });
const limiter2 = new RateLimiterMemory({ keyPrefix: "minute", points: 5, duration: 60 });
const union = new RateLimiterUnion(limiter1, limiter2);
const bursty = new BurstyRateLimiter(limiter1, limiter2);
`,
    rules: ['second: first-hit 1/1 "ip"', 'minute: first-hit 5/60 "ip"'],
    notes: [
      "3: No call of consume in this file says what is counted: the rule counts addresses.",
      "3: The app says which requests consume points, so the rule counts every path.",
      "4: No call of consume in this file says what is counted: the rule counts addresses.",
      "4: The app says which requests consume points, so the rule counts every path.",
      "5: RateLimiterUnion is no rule.",
      "6: BurstyRateLimiter is no rule.",
    ],
  },
  "no duration, and none that ends": {
    source: `
new RateLimiterMemory({ points: 5 });
new RateLimiterMemory({ points: 5, duration: 0 });
new RateLimiterMemory({ points: -5, duration: 1 });
`,
    rules: [],
    notes: [
      "2: duration is missing: no rule was made.",
      "3: A duration of 0 never ends, so no rule was made.",
      "4: No rule has a limit of -5.",
    ],
  },
  "numbers of the environment": {
    source: `
const limiter = new RateLimiterRedis({ storeClient, points: Number(process.env.POINTS ?? 10), duration: 60 });
`,
    rules: [],
    notes: [
      "2: points is Number(process.env.POINTS ?? 10), which is no number in this file: no rule was made.",
    ],
  },
  "a class in TypeScript": {
    source: `
@Injectable()
export class LimiterService {
  private readonly limiter: RateLimiterRedis;
  constructor(@Inject(REDIS) private readonly redis: Redis) {
    this.limiter = new RateLimiterRedis({ storeClient: this.redis, keyPrefix: "ws:connect", points: 3, duration: 10 });
  }
  async take(client: Socket): Promise<void> {
    await this.limiter.consume(client.handshake.address, 1);
  }
}
`,
    rules: ['ws/connect: first-hit 3/10 {"code":"ws-connect"} {"cost":1}'],
    notes: [
      "6: The app says which requests consume points, so the rule counts every path.",
      "9: client.handshake.address is code, which a policy does not hold.",
    ],
  },
  "options alone": {
    source: `export const opts = { points: 6, duration: 1, keyPrefix: "a b" };`,
    rules: ['a-b: first-hit 6/1 "ip"'],
    notes: [
      "1: No call of consume in this file says what is counted: the rule counts addresses.",
      "1: The app says which requests consume points, so the rule counts every path.",
    ],
  },
  "options that code makes": {
    source: `
import { RateLimiterMemory } from "rate-limiter-flexible";
new RateLimiterMemory({ ...base(), points: 5, duration: 5, customThing: "x" });
new RateLimiterMemory(load());
`,
    rules: ['limiter: first-hit 5/5 "ip"'],
    notes: [
      "3: Options that are spread here are made by code.",
      "3: No call of consume in this file says what is counted: the rule counts addresses.",
      "3: The app says which requests consume points, so the rule counts every path.",
      "3: customThing has no equal in a rule.",
      "4: The options are made by code: no rule was made.",
    ],
  },
};

it.each(Object.entries(cases))("%s", (_, { source, ...expected }) => {
  expect(summaryOf(importRateLimiterFlexible(source))).toEqual(expected);
});
