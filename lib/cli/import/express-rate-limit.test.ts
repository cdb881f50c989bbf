import { expect, it } from "vitest";
import { importExpressRateLimit } from "./express-rate-limit.ts";
import { type ImportCase, summaryOf } from "./vitest.imports.ts";

/** Files as they are in apps and in the documentation of express-rate-limit. */
const cases: Readonly<Record<string, ImportCase>> = {
  "the readme of the library": {
    source: `
import { rateLimit } from 'express-rate-limit'

const limiter = rateLimit({
	windowMs: 15 * 60 * 1000, // 15 minutes
	limit: 100, // Limit each IP to 100 requests per window (here, per 15 minutes).
	standardHeaders: 'draft-8', // draft-6: RateLimit-* headers; draft-7 & draft-8: combined RateLimit header
	legacyHeaders: false, // Disable the X-RateLimit-* headers.
	ipv6Subnet: 56,
	// store: ... , // Redis, Memcached, etc. See below.
})

// Apply the rate limiting middleware to all requests.
app.use(limiter)
`,
    rules: ['limiter: first-hit 100/900 "ip" {"ipv6Prefix":56}'],
    notes: [],
  },
  "CommonJS with max, a message and a path": {
    source: `
const rateLimit = require("express-rate-limit");
const apiLimiter = rateLimit({
  windowMs: 60 * 60 * 1000,
  max: 5,
  ipv6Subnet: 64,
  message: 'Too many accounts created from this IP, please try again after an hour',
});
app.post("/create-account/", apiLimiter, function (request, response) {
  response.json({ ok: "}" });
});
`,
    rules: [
      'api: first-hit 5/3600 "ip" {"match":{"only":["/create-account"],"methods":["POST"]},"ipv6Prefix":64,"response":{"message":"Too many accounts created from this IP, please try again after an hour"}}',
    ],
    notes: ["9: The rule also counts what lies below /create-account/."],
  },
  "TypeScript with constants, types and satisfies": {
    source: `
import rateLimit, { type Options } from "express-rate-limit";
const MINUTE = 60_000 as const;
const options: Partial<Options> = { windowMs: 10 * MINUTE, limit: 1e3, ipv6Subnet: 64 } satisfies Partial<Options>;
export const searchLimiter: RequestHandler = rateLimit(options);
const strict = rateLimit({ ...options, limit: 10 } as Partial<Options>);
app.use(["/search", "/suggest"], searchLimiter);
app.get("/search/all", strict, all);
`,
    rules: [
      'search: first-hit 1000/600 "ip" {"match":{"only":["/search","/suggest"]},"ipv6Prefix":64}',
      'strict: first-hit 10/600 "ip" {"match":{"only":["/search/all"],"methods":["GET"]},"ipv6Prefix":64}',
    ],
    notes: ["8: The rule also counts what lies below /search/all."],
  },
  "keys of headers, cookies, users and code": {
    source: `
import { rateLimit as limit, ipKeyGenerator } from "express-rate-limit";
const byKey = limit({ windowMs: 1000, limit: 10, keyGenerator: (req, res) => req.get("X-API-Key") });
const byCookie = limit({ windowMs: 1000, limit: 10, keyGenerator: (req) => req.cookies.sid });
const byUser = limit({ windowMs: 1000, limit: 10, keyGenerator: (req: Request) => { return req.user.id; } });
const byIp = limit({ windowMs: 1000, limit: 10, keyGenerator: (req) => ipKeyGenerator(req.ip, 56) });
const byBoth = limit({ windowMs: 1000, limit: 10, keyGenerator: (req) => req.ip + req.body.email });
app.use(byKey, byCookie, byUser, byIp, byBoth);
`,
    rules: [
      'by-key: first-hit 10/1 {"header":"x-api-key"}',
      'by-cookie: first-hit 10/1 {"cookie":"sid"}',
      'by-user: first-hit 10/1 "user"',
      'by-ip: first-hit 10/1 "ip" {"ipv6Prefix":64}',
      'by-both: first-hit 10/1 {"code":"by-both"}',
    ],
    notes: [
      "5: The rule counts users.",
      "7: (req) => req.ip + req.body.email is code, which a policy does not hold.",
    ],
  },
  "a limit by code": {
    source: `
import { rateLimit } from "express-rate-limit";
app.use(rateLimit({ windowMs: 60000, limit: async (req) => (await isPremium(req.user) ? 10 : 5) }));
app.use(rateLimit({ windowMs: config.window, limit: 5 }));
app.use(rateLimit(getOptions()));
`,
    rules: [],
    notes: [
      "3: limit is async (req) => (await isPremium(req.user) ? 10 : 5), which is no number in this file: no rule was made.",
      "4: windowMs is config.window, which is no number in this file: no rule was made.",
      "5: The options are made by code: no rule was made.",
    ],
  },
  "skips, handlers and outcomes": {
    source: `
import { rateLimit } from "express-rate-limit";
export const login = rateLimit({
  windowMs: 3600000, limit: 5, ipv6Subnet: 64,
  skipSuccessfulRequests: true, // only failed logins
  requestWasSuccessful: (req, res) => res.statusCode < 400,
  skip: (request, response) => allowlist.includes(request.ip),
  handler: (req, res, next, options) => {
    if (options.message) { next(); } else { res.status(options.statusCode).send(/["'}]/.test(req.path) ? 1 : 2); }
  },
  statusCode: 503,
  requestPropertyName: "rateLimit",
  passOnStoreError: true,
});
app.route("/login").post(login, handle);
`,
    rules: ['login: first-hit 5/3600 "ip" {"ipv6Prefix":64,"response":{"status":503}}'],
    notes: [
      "3: No route of this file is known to use this limiter, so the rule counts every path.",
      "5: skipSuccessfulRequests has no field in a rule.",
      "6: requestWasSuccessful has no field in a rule.",
      "7: skip: (request, response) => allowlist.includes(request.ip) is code, so the rule counts these requests, too.",
      "8: handler has no field in a rule.",
    ],
  },
  defaults: {
    source: `
import rateLimit from "express-rate-limit";
app.use(rateLimit());
app.use("/", rateLimit({}));
`,
    rules: [
      'rate-limit: first-hit 5/60 "ip" {"ipv6Prefix":56}',
      'rate-limit-2: first-hit 5/60 "ip" {"ipv6Prefix":56}',
    ],
    notes: [
      "3: express-rate-limit 8 counts IPv6 addresses by their /56, so the rule does. Earlier versions count each address.",
      "4: express-rate-limit 8 counts IPv6 addresses by their /56, so the rule does. Earlier versions count each address.",
    ],
  },
  "several routes and a router": {
    source: `
import { rateLimit } from "express-rate-limit";
const limiter = rateLimit({ windowMs: 60_000, limit: 20, ipv6Subnet: 64 });
const router = express.Router();
router.get("/users/:id", [auth, limiter], show);
router.post("/users", limiter, create);
app.use("/api", router);
`,
    rules: ['limiter: first-hit 20/60 "ip" {"match":{"only":["/users"]},"ipv6Prefix":64}'],
    notes: [
      '5: "/users/:id" has a parameter: the rule counts all of /users.',
      "5: A router uses this limiter, and may have a path before its own.",
      "5: Routes with other methods use this limiter, so the rule counts all methods.",
      "6: The rule also counts what lies below /users.",
    ],
  },
  "no route in this file": {
    source: `
module.exports.uploadRateLimiter = require("express-rate-limit").rateLimit({ windowMs: 90 * 1000, limit: 3, ipv6Subnet: 64 });
`,
    rules: ['rate-limit: first-hit 3/90 "ip" {"ipv6Prefix":64}'],
    notes: ["2: No route of this file is known to use this limiter, so the rule counts every path."],
  },
  "options alone": {
    source: `
export default { windowMs: 5 * 60 * 1000, limit: 50, ipv6Subnet: false };
`,
    rules: ['rate-limit: first-hit 50/300 "ip" {"ipv6Prefix":64}'],
    notes: ["2: Sluice counts IPv6 addresses by their network."],
  },
  "periods and limits that a policy does not have": {
    source: `
import { rateLimit } from "express-rate-limit";
app.use(rateLimit({ windowMs: 1500, limit: 10, ipv6Subnet: 64 }));
app.use(rateLimit({ windowMs: 60000, limit: 0 }));
app.use(rateLimit({ windowMs: 366 * 24 * 3600 * 1000 * 2, limit: 1 }));
app.use(rateLimit({ windowMs: 60000, limit: 10, ipv6Subnet: 64, message: { error: "slow down" }, statusCode: 420, novelty: 1 }));
`,
    rules: [
      'rate-limit: first-hit 10/2 "ip" {"ipv6Prefix":64}',
      'rate-limit-2: first-hit 10/60 "ip" {"ipv6Prefix":64}',
    ],
    notes: [
      "3: 1500 ms are no whole seconds: the rule has 2 s.",
      "4: No rule has a limit of 0.",
      "5: No rule has a period of 63244800000 ms.",
      "6: The message is no text of at most 500 characters.",
      "6: Sluice answers with 429 or 503.",
      "6: novelty has no field in a rule.",
    ],
  },
  "patterns, templates and comments around": {
    source:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the file has a template.
      '\n/* const a = rateLimit({ windowMs: 1000 }) */\n// app.use(rateLimit({ windowMs: 2000, limit: 2 }))\nimport { rateLimit } from "express-rate-limit";\nconst text = `rateLimit({ windowMs: 3000 }) ${a ? "}" : "{"}`, pattern = /rateLimit\\({/g, half = 4 / 2 / 1;\napp.use(/^\\/api/, rateLimit({ windowMs: 4000, limit: 4, ipv6Subnet: 64 }));\nfunction rateLimit2() { return rateLimit; }\n',
    rules: ['rate-limit: first-hit 4/4 "ip" {"ipv6Prefix":64}'],
    notes: ["6: The path of this route is no plain text, so the rule counts every path."],
  },
  nothing: { source: `console.log("no limiter here");`, rules: [], notes: [] },
};

it.each(Object.entries(cases))("%s", (_, { source, ...expected }) => {
  expect(summaryOf(importExpressRateLimit(source))).toEqual(expected);
});

it("says what an app writes for a key that is code", () => {
  const source =
    'import { rateLimit } from "express-rate-limit";\napp.use(rateLimit({ keyGenerator: (req) => req.body.email }));';
  expect(importExpressRateLimit(source).notes.map(({ instead }) => instead)).toContain(
    'The rule counts by { "code": "rate-limit" }: write createGuard({ clients: { "rate-limit": (request) => req.body.email } }).',
  );
});

it("reads any text without failing", () => {
  const { source = "" } = cases["skips, handlers and outcomes"] ?? {};
  for (let end = 0; end < source.length; end += 5) importExpressRateLimit(source.slice(0, end));
  for (let from = 0; from < source.length; from += 5) importExpressRateLimit(source.slice(from));
});
