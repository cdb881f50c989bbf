import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClientAddress } from "../../ip/block.ts";
import { blockOf, type Ip } from "../../ip/parse.ts";
import { bucketSecondsOf, consoleApp, isForApp, matcher, matchSchema, scopeOf } from "./match.ts";
import { type RuledRequest, readPath, Subject } from "./request.ts";
import { policySchema } from "./schema.ts";

function matchesRequest(given: object, request: RuledRequest, isCustomer = false): boolean {
  const address = new ClientAddress(blockOf("203.0.113.9" as Ip));
  return matcher(matchSchema.parse(given))(new Subject(request, address, undefined), isCustomer);
}

const matches = (given: object, path: string, method = "GET", isCustomer = false) =>
  matchesRequest(given, { path, method }, isCustomer);

describe("paths", () => {
  it.each(["/LOGIN", "/Login/step", "/%4cogin", "/x/../LOGIN"])(
    "%s is under /login for a server that ignores case",
    (path) => {
      expect(matches({ only: ["/login"] }, path, "POST")).toBe(true);
      expect(matches({ only: ["/Login"] }, path, "POST")).toBe(true);
    },
  );

  it("are excepted only as they are written, because another case may be another page", () => {
    expect(matches({ except: ["/static"] }, "/Static/x")).toBe(true);
    expect(matches({ except: ["/Static"] }, "/static/x")).toBe(true);
    expect(matches({ except: ["/static"] }, "/static/x")).toBe(false);
  });

  it.each([
    "/login;x=1",
    "/login;x=1/step",
    "/api;v=2/../login",
    "/static/..;/login",
    "/static/..;a=b/login",
    "/static/..%3b/login",
    "/LOGIN%3Bjsessionid=1",
    "/;/login",
  ])("%s is /login for a server that takes parameters off", (path) => {
    expect(matches({ only: ["/login"] }, path)).toBe(true);
    expect(matches({ except: ["/static", "/api"] }, path)).toBe(true);
  });

  it("with parameters stay excepted where both readings are", () => {
    expect(matches({ except: ["/static"] }, "/static/app.js;v=1")).toBe(false);
    expect(matches({ except: ["/static"] }, "/static;v=1/app.js")).toBe(true);
  });

  it("match with an extension if the rule says so", () => {
    const rule = { only: ["/login", "/api/"], anyExtension: true };
    const asked = ["/login.json", "/LOGIN.JSON", "/login.json/", "/login.json;x=1"];
    expect(asked.map((path) => matches(rule, path))).toEqual([true, true, true, true]);
    expect(asked.map((path) => matches({ only: ["/login"] }, path))).toEqual([false, false, false, false]);
    const others = ["/login.", "/login.json/x", "/login.a.b", "/loginx.json", "/xlogin.json"];
    expect(others.map((path) => matches(rule, path))).toEqual([false, false, false, false, false]);
  });

  it.each([
    ["/api/v1", "/api/v1", true],
    ["/api/v1", "/api/v1/users", true],
    ["/api/v1", "/api/v10", false],
    ["/api/v1/", "/api/v1", false],
    ["/api/v1/", "/api/v1/users", true],
    ["/", "/anything", true],
  ])("%s and %s", (prefix, path, expected) => {
    expect(matches({ only: [prefix] }, path)).toBe(expected);
    expect(matches({ except: [prefix] }, path)).toBe(!expected);
  });

  it("except wins over only", () => {
    const match = { only: ["/api/v1"], except: ["/api/v1/users"] };
    expect(matches(match, "/api/v1/orders")).toBe(true);
    expect(matches(match, "/api/v1/users/5")).toBe(false);
  });

  const segment = fc
    .string({ minLength: 1, maxLength: 3, unit: fc.constantFrom(..."ab.~") })
    .filter((s) => !/^\.+$/.test(s));
  const path = fc.array(segment, { maxLength: 4 }).map((parts) => `/${parts.join("/")}`);

  it("match as their parts do", () => {
    const parts = (text: string) => text.split("/").filter(Boolean);
    fc.assert(
      fc.property(path, path, (prefix, asked) => {
        const isUnder = parts(prefix).every((part, i) => parts(asked)[i] === part);
        expect(matches({ only: [prefix] }, asked)).toBe(isUnder);
        expect(matches({ except: [prefix] }, asked)).toBe(!isUnder);
      }),
      { numRuns: 2_000 },
    );
  });

  const disguises: ((path: string) => string)[] = [
    (text) => text.replaceAll("a", "%61"),
    (text) => text.replaceAll("/", "//"),
    (text) => text.replaceAll("/", "/./"),
    (text) => `/x/..${text}`,
    (text) => `/%2e%2e${text}`,
    (text) => text.replaceAll("/", "\\"),
  ];

  it("are seen through every disguise", () => {
    fc.assert(
      fc.property(path, fc.constantFrom(...disguises), (text, disguise) => {
        const plain = readPath(text);
        expect(readPath(disguise(text)).replace(/\/$/, "")).toBe(plain.replace(/\/$/, ""));
      }),
      { numRuns: 2_000 },
    );
  });

  it("are taken as they are when they cannot be decoded", () => {
    expect(readPath("/a%zz//b")).toBe("/a%zz/b");
  });

  it.each([
    "/assets/../login",
    "/assets/%2e%2e/login",
    "/assets/..%2flogin",
    "/assets%5c..%5clogin",
    "/login/..%2fassets",
    "/login/%2e%2e%5cassets",
  ])("%s hides nothing under an excepted one, nor from one that is meant", (asked) => {
    expect(matches({ except: ["/assets"] }, asked)).toBe(true);
    expect(matches({ only: ["/login"] }, asked)).toBe(true);
  });
});

it("methods, however they were written", () => {
  expect(matches({ methods: ["get"] }, "/", "HEAD")).toBe(true);
  expect(matches({ methods: ["head"] }, "/", "HEAD")).toBe(true);
  expect(matches({ methods: ["post"] }, "/", "HEAD")).toBe(false);
  expect(matches({ methods: ["post", "PUT"] }, "/", "POST")).toBe(true);
  expect(matches({ methods: ["post"] }, "/", "GET")).toBe(false);
});

it("methods, in whatever case a proxy hands them on", () => {
  expect(matches({ methods: ["POST"] }, "/", "post")).toBe(true);
  expect(matches({ methods: ["GET"] }, "/", "head")).toBe(true);
});

it("Server Actions, whatever page they are posted to", () => {
  const rule = { serverAction: true };
  const asked = (method: string, headers: Record<string, string>) =>
    matchesRequest(rule, { path: "/about", method, headers });
  expect(asked("POST", { "next-action": "7f00" })).toBe(true);
  expect(asked("POST", { "Next-Action": "7f00" })).toBe(true);
  expect(asked("POST", { "content-type": "multipart/form-data; boundary=x" })).toBe(true);
  expect(asked("POST", { "content-type": "application/json" })).toBe(false);
  expect(asked("GET", { "next-action": "7f00" })).toBe(false);
  expect(matchesRequest({}, { path: "/about", method: "GET" })).toBe(true);
});

it("who asks", () => {
  const asked = (who: string) => [true, false].map((isCustomer) => matches({ who }, "/", "GET", isCustomer));
  expect([asked("anyone"), asked("customers"), asked("anonymous")]).toEqual([
    [true, true],
    [true, false],
    [false, true],
  ]);
});

it("apps", () => {
  const isFor = (given: object, app: string) => isForApp(matchSchema.parse(given), app);
  expect([isFor({}, "a"), isFor({ apps: ["a"] }, "a"), isFor({ apps: ["a"] }, "b")]).toEqual([
    true,
    true,
    false,
  ]);
  expect([isFor({ exceptApps: ["a"] }, "a"), isFor({ apps: ["a"], exceptApps: ["a"] }, "a")]).toEqual([
    false,
    false,
  ]);
});

it("is for the console only if it says so, because rolling it back takes the console", () => {
  expect(isForApp({ who: "anyone" }, consoleApp)).toBe(false);
  expect(isForApp({ who: "anyone", exceptApps: ["shop"] }, consoleApp)).toBe(false);
  expect(isForApp({ who: "anyone", apps: ["shop", consoleApp] }, consoleApp)).toBe(true);
});

describe("the scope of a rule", () => {
  const base = { name: "r", client: "ip", algorithm: "fixed", levels: [{ limit: 5, periodSeconds: 60 }] };
  const scope = (more: object) =>
    scopeOf(
      policySchema.parse({
        mode: "enforce",
        rules: [{ ...base, ...more }],
        tiers: { pro: { levels: base.levels } },
      }).rules[0] ?? expect.fail(),
    );

  it("is the same for rules that count the same, whatever their names, limits and modes are", () => {
    const same = { name: "other", mode: "shadow", slack: 0.1, levels: [{ limit: 9, periodSeconds: 3_600 }] };
    expect(scope(same)).toEqual(scope({}));
    expect(scope({})?.key).toMatch(/^[0-9a-f]{16}$/);
  });

  it("differs with each thing that decides what is counted", () => {
    const others = [
      ...[{ only: ["/login"] }, { except: ["/login"] }, { methods: ["POST"] }, { who: "anonymous" }].map(
        (match) => ({ match }),
      ),
      ...[
        { match: { apps: ["shop"] } },
        { match: { exceptApps: ["shop"] } },
        { match: { serverAction: true } },
      ],
      ...[{ client: "customer" }, { client: { header: "x" } }, { client: { header: "y" } }],
      ...[
        { cost: 2 },
        { cost: "request" },
        { ipv6Prefix: 56 },
        { client: "user" },
        { client: "user", requireBasic: true },
      ],
    ];
    const keys = [{}, ...others].map((more) => scope(more)?.key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("is broad where nearly every request of an address counts", () => {
    const isBroad = (more: object) => scope(more)?.isBroad;
    expect([isBroad({}), isBroad({ match: { except: ["/_next/static"], who: "anonymous" } })]).toEqual([
      true,
      true,
    ]);
    const narrow = [
      { match: { only: ["/a"] } },
      { match: { methods: ["PUT"] } },
      { cost: 2 },
      { ipv6Prefix: 48 },
    ];
    for (const more of narrow) expect(isBroad(more)).toBe(false);
    expect(isBroad({ levels: [{ limit: 5, periodSeconds: 10 }] })).toBe(false);
  });

  it("is undefined without limits per period of the rule's own", () => {
    expect(scope({ client: "customer", levels: "tier" })).toBeUndefined();
    const levels = [{ limitPerSecond: 1, halfLifeSeconds: 60 }];
    expect(scope({ algorithm: "earrrl", levels })).toBeUndefined();
  });

  it("has buckets of ten seconds for periods of up to ten minutes that are no whole minutes", () => {
    expect([10, 60, 90, 600, 605, 3_600].map(bucketSecondsOf)).toEqual([10, 60, 10, 60, 60, 60]);
  });
});
