import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { consoleApp, isForApp, matcher, matchSchema } from "./match.ts";
import { readPath, readSegments } from "./request.ts";

const matches = (given: object, raw: string, method = "GET", isCustomer = false) =>
  matcher(matchSchema.parse(given))(
    { path: readPath(raw), otherPath: readSegments(raw), method },
    isCustomer,
  );

describe("paths", () => {
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

  it("are taken as they stand when they cannot be decoded", () => {
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

it("is for the console only if it says so, because whoever rolls it back needs the console", () => {
  expect(isForApp({ who: "anyone" }, consoleApp)).toBe(false);
  expect(isForApp({ who: "anyone", exceptApps: ["shop"] }, consoleApp)).toBe(false);
  expect(isForApp({ who: "anyone", apps: ["shop", consoleApp] }, consoleApp)).toBe(true);
});
