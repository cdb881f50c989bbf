import { describe, expect, it } from "vitest";
import { gcra, sliding } from "../algorithms/windows.ts";
import type { Plan, Reading, Step } from "../limits/plan.ts";
import type { PolicyInput } from "../policy/schema.ts";
import { headerWriter, rateLimitHeaders } from "./rate-limit-headers.ts";
import { besideEarlier } from "./refusal.ts";
import { createTestGuard } from "./test-guard.ts";

const stepOf = (given: Partial<Step>): Step => ({
  rule: "r",
  algorithm: "first-hit",
  limit: 10,
  periodSeconds: 60,
  overageWeight: 1,
  isShadowed: false,
  ...given,
});

const reading = (used: number, given: Partial<Reading> = {}): Reading => ({
  used,
  resetMs: 42_000,
  isOver: false,
  ...given,
});

function headersFor(steps: readonly Step[], readings: readonly Reading[], isDenied = false) {
  const plan: Plan = { steps };
  const costs = steps.map(() => 1);
  const headers = rateLimitHeaders(plan, readings, costs, isDenied);
  const items = (text: string | undefined) => (text === undefined ? [] : text.split(", "));
  const policy = items(headers["ratelimit-policy"]);
  const limits = items(headers.ratelimit);
  return { policy, limits, length: Object.values(headers).join("").length };
}

describe("many quotas", () => {
  const many = (count: number, nameLength: number) =>
    Array.from({ length: count }, (_, i) => stepOf({ rule: `r${i}-`.padEnd(nameLength, "x"), limit: 1_000 }));

  it("are cut to the eight tightest, these first, in both headers alike", () => {
    const steps = many(40, 6);
    const used = steps.map((_, i) => (i === 33 ? 990 : i === 7 ? 950 : i));
    const { policy, limits } = headersFor(
      steps,
      used.map((n) => reading(n)),
    );
    expect(limits).toHaveLength(8);
    expect(limits.slice(0, 3)).toEqual(['"r33-xx";r=9;t=42', '"r7-xxx";r=49;t=42', '"r39-xx";r=960;t=42']);
    expect(policy.map((item) => item.split(";")[0])).toEqual(limits.map((item) => item.split(";")[0]));
    expect(policy[0]).toBe('"r33-xx";q=1000;w=60');
  });

  it("never fill the 4 kB that a proxy reserves for headers, and name the one that denies", () => {
    const steps = many(64, 64).map((step) => ({ ...step, limit: 1e12, periodSeconds: 31_622_400 }));
    const readings = steps.map((_, i) => reading(i === 63 ? 1e12 : 0, { isOver: i === 63 }));
    const { limits, length } = headersFor(steps, readings, true);
    expect(length).toBeLessThanOrEqual(1_500);
    expect(limits.length).toBeGreaterThanOrEqual(5);
    expect(limits[0]).toContain('"r63-');
  });

  it("stay as the policy orders them while they are few", () => {
    const { limits } = headersFor(
      many(8, 4),
      Array.from({ length: 8 }, (_, i) => reading(i)),
    );
    expect(limits.map((item) => item.slice(1, 3))).toEqual(["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7"]);
  });
});

describe("t of GCRA", () => {
  const step = stepOf({ algorithm: "gcra", limit: 6, periodSeconds: 60 });
  const second = 1_000_000;

  /** After hits at these seconds, and one more at the last of them. */
  function headersAt(seconds: readonly number[]): string | undefined {
    let state: ReturnType<typeof gcra.charge> | undefined;
    for (const at of seconds.slice(0, -1)) state = gcra.charge(state, step, 1, at * second);
    const now = (seconds.at(-1) ?? 0) * second;
    return headersFor([step], [gcra.read(gcra.peek(state, step, 1, now), step, 1, now)]).limits[0];
  }

  it("is the time until one more request fits, not until the meter is empty", () => {
    // One request drains in 10 s.
    expect(headersAt([0])).toBe('"r";r=5;t=10');
    expect(headersAt([0, 0, 0, 0])).toBe('"r";r=2;t=10');
    expect(headersAt([0, 0, 0, 4])).toBe('"r";r=2;t=6');
    expect(headersAt([0, 0, 0, 0, 0, 0])).toBe('"r";r=0;t=10');
    expect(headersAt([0, 0, 0, 0, 0, 0, 7])).toBe('"r";r=0;t=3');
  });

  it("is exact: after t one more is left", () => {
    for (const at of [0, 1, 3.3, 9.99, 10, 14]) {
      const [, r = 0, t = 0] = /r=(\d+);t=(\d+)/.exec(headersAt([0, 0, 0, at]) ?? "")?.map(Number) ?? [];
      const state = [0, 0, 0, at].reduce<ReturnType<typeof gcra.charge> | undefined>(
        (before, moment) => gcra.charge(before, step, 1, moment * second),
        undefined,
      );
      const left = (seconds: number) =>
        Math.floor(step.limit - gcra.read(gcra.peek(state, step, 0, seconds * second), step, 0, 0).used);
      expect([left(at), left(at + t)]).toEqual([r, r + 1]);
    }
  });
});

describe("t of sliding", () => {
  const step = stepOf({ algorithm: "sliding", limit: 10, periodSeconds: 60 });
  type State = ReturnType<typeof sliding.charge>;

  const readAt = (state: State | undefined, seconds: number, cost: number) => {
    const now = seconds * 1_000_000;
    return sliding.read(sliding.peek(state, step, cost, now), step, cost, now);
  };

  /** Hits at these seconds; what the last of them is left, and what is left of the limit at any later second. */
  function tracked(seconds: readonly number[]) {
    let state: State | undefined;
    let header = "";
    for (const at of seconds) {
      header = headersFor([step], [readAt(state, at, 1)]).limits[0] ?? "";
      state = sliding.charge(state, step, 1, at * 1_000_000);
    }
    const left = (at: number) => Math.floor(step.limit - readAt(state, at, 0).used + 1e-9);
    return { header, left };
  }

  it("is the time until one more request fits, not until the window ends", () => {
    // Six of the window before fade at one each 10 s.
    expect(tracked([50, 50, 50, 50, 50, 50, 60]).header).toBe('"r";r=3;t=10');
    expect(tracked([50, 50, 50, 50, 50, 50, 65]).header).toBe('"r";r=3;t=5');
    // Nothing before: in the next window the hit of this one begins to fade.
    expect(tracked([10]).header).toBe('"r";r=9;t=110');
    expect(tracked([10, 10]).header).toBe('"r";r=8;t=80');
  });

  it.each([
    [[50, 50, 50, 60]],
    [[50, 50, 50, 50, 50, 73]],
    [[1, 2, 3, 61, 62, 63]],
    [[59, 119]],
    [[10, 30, 59]],
    [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    [[3, 3, 3, 3, 3, 3, 3, 90, 91, 92]],
  ])("is exact for hits at %j: after t one more is left, and not a second before", (seconds) => {
    const { header, left } = tracked(seconds);
    const [, r = 0, t = 0] = /r=(\d+);t=(\d+)/.exec(header)?.map(Number) ?? [];
    const at = seconds.at(-1) ?? 0;
    expect(left(at)).toBe(r);
    expect(left(at + t - 1)).toBe(r);
    expect(left(at + t)).toBeGreaterThan(r);
  });
});

describe("of another dialect", () => {
  const two = [
    stepOf({ rule: "minute", limit: 10 }),
    stepOf({ rule: "hour", limit: 100, periodSeconds: 3_600 }),
  ];
  const write = (dialect: "x-ratelimit" | "none", used: readonly [number, number], isDenied = false) => {
    const readings = used.map((n, i) =>
      reading(n, { isOver: isDenied && n >= (two[i]?.limit ?? 0), resetMs: i === 0 ? 42_000 : 1_800_000 }),
    );
    return headerWriter(dialect)({ steps: two }, readings, [1, 1], isDenied);
  };
  const secondsFromNow = (seconds: number) => Math.ceil(Date.now() / 1_000) + seconds;

  it("X-RateLimit-* names the tightest quota, and when it ends", () => {
    const headers = write("x-ratelimit", [3, 98]);
    expect(headers).toEqual({
      ...{ "x-ratelimit-limit": "100", "x-ratelimit-remaining": "1" },
      "x-ratelimit-reset": expect.stringMatching(/^\d{10}$/),
    });
    expect(Math.abs(Number(headers["x-ratelimit-reset"]) - secondsFromNow(1_800))).toBeLessThanOrEqual(2);
  });

  it("X-RateLimit-* names the quota that lasts longest, of several that are used up", () => {
    expect(write("x-ratelimit", [10, 100], true)).toMatchObject({
      ...{ "x-ratelimit-limit": "100", "x-ratelimit-remaining": "0" },
    });
  });

  it("none has no header, and no quota makes none", () => {
    expect(write("none", [3, 98])).toEqual({});
    expect(headerWriter("x-ratelimit")({ steps: [stepOf({ isShadowed: true })] }, [reading(3)], [1])).toEqual(
      {},
    );
  });

  const levels = [{ limit: 1, periodSeconds: 60 }];
  const rules: PolicyInput["rules"] = [{ name: "req/ip", client: "ip", algorithm: "fixed", levels }];

  it.each([
    ["draft", ["ratelimit", "ratelimit-policy"]],
    ["x-ratelimit", ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]],
    ["none", []],
  ] as const)("is that of the guard, with retry-after on denials: %s", async (rateLimitHeaders, expected) => {
    const guard = createTestGuard({ policy: { mode: "enforce", rules, tiers: {} }, rateLimitHeaders });
    const names = async () => Object.keys((await guard.check({ ip: "203.0.113.9" })).headers).sort();
    expect(await names()).toEqual(expected);
    expect(await names()).toEqual([...expected, "retry-after"].sort());
    const limit = guard.limit("export", { levels: [{ limit: 5, periodSeconds: 60 }] });
    expect(Object.keys((await limit.check("acme")).headers).sort()).toEqual(expected);
  });

  it("joins two limits of one response: X-RateLimit-* has room for the tighter one", () => {
    const headers = {
      "x-ratelimit-limit": "10",
      "x-ratelimit-remaining": "4",
      "x-ratelimit-reset": "1700000000",
    };
    const other = {
      "x-ratelimit-limit": "99",
      "x-ratelimit-remaining": "3",
      "x-ratelimit-reset": "1800000000",
    };
    const earlier = (given: Record<string, string>) => (name: string) => given[name];
    expect(besideEarlier(headers, earlier(other))).toEqual(other);
    expect(besideEarlier(other, earlier(headers))).toEqual(other);
    expect(besideEarlier(headers, earlier({}))).toEqual(headers);
  });

  it("has a name that is known", () => {
    const wrong = { rateLimitHeaders: "legacy" as never };
    expect(() => createTestGuard(wrong)).toThrow(
      'rateLimitHeaders must be one of "draft", "x-ratelimit", "none"',
    );
  });
});
