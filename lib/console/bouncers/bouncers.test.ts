import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Ip } from "../../ip/parse.ts";
import { addEntries } from "../../manage/lists/add.ts";
import { extendEntries } from "../../manage/lists/extend.ts";
import { removeEntries } from "../../manage/lists/remove.ts";
import { at } from "../../manage/lists/vitest.context.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { type Catalogue, startCatalogue } from "../../observe/catalogue/catalogue.ts";
import type { DeniedBlock } from "../../observe/catalogue/denied-blocks.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys, type ListName } from "../../redis/keys.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { eventually } from "../../redis/testing.ts";
import { testApi } from "../api/vitest.api.ts";
import { longestTurn } from "../vitest.longest-turn.ts";
import { answerBouncer } from "./answer-bouncer.ts";
import { idOf } from "./decision-text.ts";
import { Decisions } from "./decisions.ts";
import { prepareDecisions, theDecisions } from "./handle-bouncer.ts";
import { Bouncer, milliseconds } from "./vitest.bouncer.ts";

vi.mock("next/headers", () => ({}));
vi.mock("next/navigation", () => ({}));

const api = testApi();
const hour = 3_600_000;
let catalogue: Catalogue;
let decisions: Decisions;
let secret: string;

const context = () => ({ ...api.log.signed(), protectedRanges: api.parts.console.protectedRanges });
const openDecisions = () => new Decisions(api.parts.console.redis, catalogue);

beforeEach(async () => {
  catalogue = startCatalogue({ redis: api.parts.console.redisUrl, protectedRanges: [] });
  await catalogue.ready;
  decisions = openDecisions();
  secret = await api.token(["read"]);
});
afterEach(() => catalogue.close());

interface Ask {
  readonly key?: string;
  readonly method?: string;
  readonly by?: Decisions;
  readonly agent?: string;
}

function ask(path: string, { key = secret, method = "GET", by = decisions, agent = "test" }: Ask = {}) {
  const request = new Request(`http://console.example.org/v1/decisions${path}`, {
    method,
    headers: { "x-api-key": key, "user-agent": agent },
  });
  const origin = { address: undefined, isForwarded: false };
  return answerBouncer({ ...api.parts, decisions: async () => by }, request, origin);
}

const bouncer = (given: Ask = {}) => new Bouncer((search) => ask(`/stream${search}`, given));
const block = (address: string, ttlMs = hour, list: ListName = "blocklist") =>
  addEntries(context(), { list, addresses: [at(address)], reason: "scraper", ttlMs });
const remove = (address: string, list: ListName = "blocklist") =>
  removeEntries(context(), { list, addresses: [at(address)], reason: "" });

/** Polls until the bouncer enforces exactly this. */
const enforces = (one: Bouncer, expected: readonly string[]) =>
  eventually(async () => {
    await one.poll();
    expect(one.values).toEqual(expected);
  });

describe("a bouncer", () => {
  it("enforces the blocklist as it changes", async () => {
    await block("203.0.113.9");
    await block("198.51.100.0/24");
    await block("2001:db8::/48");
    const one = bouncer();
    await enforces(one, ["198.51.100.0/24", "2001:db8::/48", "203.0.113.9"]);
    expect(one.enforced.get("203.0.113.9")).toEqual({
      ...{ id: idOf("203.0.113.9"), type: "ban", scope: "Ip", origin: "sluice", scenario: "scraper" },
      endsAt: expect.closeTo(Date.now() + hour, -5),
    });
    expect(one.enforced.get("198.51.100.0/24")).toMatchObject({ scope: "Range" });
    expect(await one.poll()).toEqual({ added: [], deleted: [] });
    await block("203.0.113.10");
    await remove("198.51.100.0/24");
    await enforces(one, ["2001:db8::/48", "203.0.113.10", "203.0.113.9"]);
    expect(await one.poll()).toEqual({ added: [], deleted: [] });
  });

  it("gets at once what ended early, and bans with the rule that banned", async () => {
    await block("203.0.113.9");
    await api.log.client.set(keys.ban(at("203.0.113.10")), banValue, "PX", hour);
    // Of a network, any node's account could write one: it counts once a console has recorded it.
    await api.log.client.set(keys.ban(at("198.51.100.0/24")), banValue, "PX", hour);
    await eventually(() => expect(catalogue.entry("blocklist", "198.51.100.0/24")).toBeDefined());
    const one = bouncer();
    await enforces(one, ["203.0.113.10", "203.0.113.9"]);
    expect(one.enforced.get("203.0.113.10")).toMatchObject({
      origin: "sluice-ban",
      scenario: "over req/ip",
    });
    await api.log.client.pexpire("blocklist:203.0.113.9", 1);
    await enforces(one, ["203.0.113.10"]);
  });

  it("does not enforce against safelisted addresses, also within a blocked range", async () => {
    await block("198.51.100.0/30");
    const one = bouncer();
    await enforces(one, ["198.51.100.0/30"]);
    await block("198.51.100.2", hour, "safelist");
    await enforces(one, ["198.51.100.0/31", "198.51.100.3"]);
    await block("198.51.100.0/24", hour, "safelist");
    await enforces(one, []);
    await remove("198.51.100.0/24", "safelist");
    await remove("198.51.100.2", "safelist");
    await enforces(one, ["198.51.100.0/30"]);
  });

  it("gets a part of a range once, with the last of its ends", async () => {
    await block("198.51.100.0/30");
    await block("198.51.100.3", 2 * hour);
    await block("198.51.100.2", hour, "safelist");
    const one = bouncer();
    await enforces(one, ["198.51.100.0/31", "198.51.100.3"]);
    expect(one.enforced.get("198.51.100.3")?.endsAt).toBeGreaterThan(Date.now() + 1.5 * hour);
  });

  it("lets everyone pass in mode off, and blocks again afterwards", async () => {
    await block("203.0.113.9");
    const one = bouncer();
    await enforces(one, ["203.0.113.9"]);
    await setMode(context(), { mode: "off", reason: "" });
    await enforces(one, []);
    await setMode(context(), { mode: "enforce", reason: "" });
    await enforces(one, ["203.0.113.9"]);
  });

  it("blocks again when the mode off ends by its time", async () => {
    await block("203.0.113.9");
    const { redis } = api.parts.console;
    let laterMs = 0;
    decisions = new Decisions(
      withClock(redis, async () => (await redisNow(redis)) + laterMs),
      catalogue,
    );
    await setMode(context(), { mode: "off", untilMs: (await redisNow(redis)) + 60_000, reason: "" });
    const one = bouncer();
    await enforces(one, []);
    laterMs = 61_000;
    await enforces(one, ["203.0.113.9"]);
  });

  it("gets an extended entry again when the first end has come", async () => {
    await block("203.0.113.9", 60_000);
    const one = bouncer();
    await enforces(one, ["203.0.113.9"]);
    await extendEntries(context(), {
      list: "blocklist",
      addresses: [at("203.0.113.9")],
      reason: "",
      life: { forMs: hour },
    });
    await eventually(async () => expect((await one.poll()).added).toEqual(["203.0.113.9"]));
    // As nftables has it: the first end holds.
    expect(one.enforced.get("203.0.113.9")?.endsAt).toBeLessThan(Date.now() + 60_001);
    one.now = () => Date.now() + 60_000;
    await api.log.client.hset(keys.decisions(), "203.0.113.9", await withPastEnd());
    decisions = openDecisions();
    await enforces(one, ["203.0.113.9"]);
    expect(one.enforced.get("203.0.113.9")?.endsAt).toBeGreaterThan(Date.now() + 60_000 + hour / 2);
  });

  it("gets what never ends for 20 days, which kernels can keep", async () => {
    await api.log.client.set("blocklist:203.0.113.9", "by hand");
    const one = bouncer();
    await enforces(one, ["203.0.113.9"]);
    expect(one.enforced.get("203.0.113.9")?.endsAt).toBeCloseTo(Date.now() + 20 * 24 * hour, -5);
  });

  /** What is published, as if the first end were past. */
  async function withPastEnd(): Promise<string> {
    const text = (await api.log.client.hget(keys.decisions(), "203.0.113.9")) ?? "";
    const known = JSON.parse(text);
    expect(known.againAt).toBeGreaterThan(Date.now());
    return JSON.stringify({ ...known, againAt: Date.now() });
  }
});

describe("a position", () => {
  it("is of each bouncer, and survives restarts and other processes", async () => {
    await block("203.0.113.9");
    const [one, two] = [bouncer({ agent: "nginx" }), bouncer({ agent: "firewall" })];
    await enforces(one, ["203.0.113.9"]);
    await block("203.0.113.10");
    await enforces(one, ["203.0.113.10", "203.0.113.9"]);
    await enforces(two, ["203.0.113.10", "203.0.113.9"]);
    await remove("203.0.113.9");
    // Another process, which has never seen the entry.
    await eventually(() => expect(catalogue.entry("blocklist", "203.0.113.9")).toBeUndefined());
    decisions = openDecisions();
    const other = openDecisions();
    const [first, second] = [new Bouncer((s) => ask(`/stream${s}`, { agent: "nginx", by: other })), two];
    expect(
      JSON.parse(await (await ask("/stream", { agent: "nginx", by: other })).text()).deleted,
    ).toMatchObject([{ value: "203.0.113.9", duration: "-1s" }]);
    expect(await second.poll()).toEqual({ added: [], deleted: ["203.0.113.9"] });
    expect((await first.poll()).added).toEqual(["203.0.113.10"]);
  });

  it("does not move when an answer was not read to its end", async () => {
    await block("203.0.113.9");
    const one = bouncer();
    await enforces(one, ["203.0.113.9"]);
    await block("203.0.113.10");
    await eventually(() => expect(catalogue.entry("blocklist", "203.0.113.10")).toBeDefined());
    const cut = await ask("/stream");
    await cut.body?.cancel();
    expect(await one.poll()).toEqual({ added: ["203.0.113.10"], deleted: [] });
  });

  it("that is unknown brings all decisions, and what has ended within a week", async () => {
    await block("203.0.113.9");
    await block("203.0.113.10");
    const one = bouncer();
    await enforces(one, ["203.0.113.10", "203.0.113.9"]);
    await remove("203.0.113.9");
    await eventually(() => expect(catalogue.entry("blocklist", "203.0.113.9")).toBeUndefined());
    for (const key of await api.log.client.keys("sluice:bouncer:*")) await api.log.client.del(key);
    expect(await one.poll()).toEqual({ added: ["203.0.113.10"], deleted: ["203.0.113.9"] });
  });

  it("is forgotten with Redis, and the decisions are published again", async () => {
    await block("203.0.113.9");
    const one = bouncer();
    await enforces(one, ["203.0.113.9"]);
    for (const key of [keys.decisions(), keys.decisionLog(), keys.decisionLogValues()])
      await api.log.client.del(key);
    await block("203.0.113.10");
    await enforces(one, ["203.0.113.10", "203.0.113.9"]);
  });
});

describe("processes whose copies of the lists differ for a moment", () => {
  const endsAt = Date.now() + hour;
  /** Redis' clock in ms, which the test moves. */
  let now = 0;
  beforeEach(async () => {
    now = await redisNow(api.log.client);
  });

  /** A process with a copy of the lists that the test changes. */
  function openProcess() {
    let blocked: readonly string[] = [];
    const copy = {
      ...{ version: 0, ageMs: 0 },
      async eachDenied(_: number, visit: (denied: DeniedBlock) => void) {
        for (const value of blocked) visit({ value: value as Ip, endsAt, reason: "", via: undefined });
      },
    };
    const redis = withClock(api.parts.console.redis, async () => now);
    const own = new Decisions(redis, copy as unknown as Catalogue);
    return {
      copy,
      block(...values: readonly string[]) {
        blocked = values;
        copy.version++;
      },
      async values() {
        await own.refresh();
        return [...own.all()].map(({ value }) => value).sort();
      },
    };
  }

  it("do not take back what another one has just published", async () => {
    const [ahead, behind] = [openProcess(), openProcess()];
    for (const one of [ahead, behind]) one.block("192.0.2.1", "192.0.2.2");
    expect(await behind.values()).toEqual(["192.0.2.1", "192.0.2.2"]);
    ahead.block("192.0.2.2", "192.0.2.3");
    expect(await ahead.values()).toEqual(["192.0.2.2", "192.0.2.3"]);
    // Its copy has neither change yet, but another one.
    behind.block("192.0.2.1", "192.0.2.2", "192.0.2.4");
    await eventually(async () =>
      expect(await behind.values()).toEqual(["192.0.2.2", "192.0.2.3", "192.0.2.4"]),
    );
    now += 60_000;
    await eventually(async () =>
      expect(await behind.values()).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.4"]),
    );
  });

  it("publish again what another one has taken back, though their own copies are as they were", async () => {
    const [right, wrong] = [openProcess(), openProcess()];
    right.block("192.0.2.1");
    expect(await right.values()).toEqual(["192.0.2.1"]);
    expect(await wrong.values()).toEqual([]);
    expect(await right.values()).toEqual([]);
    now += 60_000;
    await eventually(async () => expect(await right.values()).toEqual(["192.0.2.1"]));
  });

  it("publish nothing while their copy does not follow Redis", async () => {
    const [current, old] = [openProcess(), openProcess()];
    current.block("192.0.2.1");
    expect(await current.values()).toEqual(["192.0.2.1"]);
    old.block("192.0.2.2");
    old.copy.ageMs = 60_000;
    expect(await old.values()).toEqual(["192.0.2.1"]);
    old.copy.ageMs = 0;
    expect(await old.values()).toEqual(["192.0.2.2"]);
  });
});

describe("the decisions", () => {
  const json = async (path: string) => (await ask(path)).json();

  it("about an address are those of all ranges around it; null says none", async () => {
    await block("203.0.113.9");
    await block("203.0.113.0/24");
    await enforces(bouncer(), ["203.0.113.0/24", "203.0.113.9"]);
    const values = async (path: string) => (await json(path)).map(({ value }: { value: string }) => value);
    expect(await values("?ip=203.0.113.9")).toEqual(["203.0.113.9", "203.0.113.0/24"]);
    expect(await values("?ip=203.0.113.8")).toEqual(["203.0.113.0/24"]);
    expect(await values("?range=203.0.113.0/28")).toEqual(["203.0.113.0/24"]);
    expect(await values("?ip=203.0.113.9&scopes=range")).toEqual(["203.0.113.0/24"]);
    expect(await values("")).toHaveLength(2);
    expect(await (await ask("?ip=192.0.2.1")).text()).toBe("null");
    expect(await (await ask("?ip=203.0.113.9&type=captcha")).text()).toBe("null");
    expect((await ask("?ip=nonsense")).status).toBe(400);
  });

  it.each([
    ["scopes=ip", ["203.0.113.9"]],
    ["scopes=ip,range", ["198.51.100.0/24", "203.0.113.9"]],
    ["origins=sluice", ["198.51.100.0/24", "203.0.113.9"]],
    ["origins=crowdsec", []],
    ["scenarios_containing=scrap", ["198.51.100.0/24", "203.0.113.9"]],
    ["scenarios_not_containing=scrap", []],
  ])("can be filtered: %s", async (query, expected) => {
    await block("203.0.113.9");
    await block("198.51.100.0/24");
    await enforces(bouncer(), ["198.51.100.0/24", "203.0.113.9"]);
    const { new: added } = await json(`/stream?startup=true&${query}`);
    expect(added.map(({ value }: { value: string }) => value).sort()).toEqual(expected);
  });

  it("are for keys with the scope read", async () => {
    const [wrong, ofApp] = [
      await api.token(["lists"], { name: "writer" }),
      await api.token(["read"], { name: "shop", app: "shop" }),
    ];
    for (const key of ["", "nonsense", `slc_${"a".repeat(43)}`, wrong, ofApp]) {
      const { status, headers } = await ask("/stream?startup=true", { key });
      expect([status, headers.get("content-type")]).toEqual([403, "application/json; charset=utf-8"]);
    }
    const head = await ask("/stream?startup=true", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(await api.log.client.keys("sluice:bouncer:*")).toEqual([]);
  });
});

it("are read when a console starts, if there are bouncers", async () => {
  await block("203.0.113.9");
  await prepareDecisions();
  expect(theDecisions().size).toBe(0);
  await enforces(bouncer(), ["203.0.113.9"]);
  await prepareDecisions();
  expect(theDecisions().size).toBe(1);
  forgetOnce("decisions");
});

it("answers a start with 100,000 entries in 2 s, in short turns of the event loop", async () => {
  const most = 100_000;
  const address = (i: number) => `9.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
  for (let from = 0; from < most; from += 10_000) {
    const some = Array.from({ length: 10_000 }, (_, i) => [
      keys.entry("blocklist", at(address(from + i))),
      "x",
    ]);
    await api.log.client.mset(some.flat());
  }
  await eventually(() => expect(catalogue.sizes.blocklist).toBe(most), 30_000);
  const start = async () => (await ask("/stream?startup=true")).text();
  const [turns, times]: [number[], number[]] = [[], []];
  for (let i = 0; i < 3; i++) {
    const begin = performance.now();
    turns.push(await longestTurn(start));
    times.push(performance.now() - begin);
  }
  process.env.FIGURES && process.stdout.write(`${JSON.stringify({ turns, times })}\n`);
  expect((await bouncer().poll()).added).toHaveLength(most);
  // Of several, because others use the machine, too.
  expect(Math.min(...times)).toBeLessThan(2_000);
  expect(Math.min(...turns)).toBeLessThan(50);
}, 60_000);

it.each([
  ["167h59m58s", 604_798_000],
  ["-1s", -1_000],
  ["1m0s", 60_000],
])("%s is read as Go reads it", (text, ms) => {
  expect(milliseconds(text)).toBe(ms);
});

const banValue = JSON.stringify({
  ...{ reason: "over req/ip", by: "auto:req/ip", at: "2026-01-01T00:00:00.000Z", via: "auto:req/ip" },
});

/** A Redis with another clock. @param nowMs its time */
function withClock(redis: Connection, nowMs: () => Promise<number>): Connection {
  const time = async () => {
    const ms = await nowMs();
    return [Math.floor(ms / 1_000), (ms % 1_000) * 1_000];
  };
  return new Proxy(redis, {
    get(target, name) {
      const member = name === "time" ? time : Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
