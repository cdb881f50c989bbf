import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { oneWeekMs } from "../../enforce/lists/entry.ts";
import { type Catalogue, startCatalogue } from "../../observe/catalogue/catalogue.ts";
import { eventually } from "../../redis/testing.ts";
import { addEntries } from "./add.ts";
import { addMany, importMany } from "./bulk.ts";
import { type DecidedRequests, type PreviewInput, previewLines } from "./preview.ts";
import type { LineOwner } from "./previewed-lines.ts";
import { at, ip, testLists } from "./vitest.context.ts";

const lists = testLists();
const [hour, day] = [3_600_000, 86_400_000];
const own = ip("198.51.100.7");
let catalogue: Catalogue;

beforeEach(async () => {
  catalogue = startCatalogue({ redis: lists.ctx().redis, protectedRanges: lists.ctx().protectedRanges });
  await catalogue.ready;
});
afterEach(() => catalogue.close());

const preview = (text: string, more: Partial<PreviewInput> = {}) =>
  previewLines(
    lists.ctx({ address: own }),
    { list: "blocklist", text, ttlMs: oneWeekMs, reason: "", confirmed: [], mayForever: true, ...more },
    {
      lookAround: () => catalogue.around(),
      async readOwners(addresses) {
        if (owners === undefined) throw new Error("Redis does not answer.");
        const { isKnown, of } = owners;
        return { isKnown, of: addresses.map((address) => of[address] ?? []) };
      },
      readDecided: async () => decided,
    },
  );

let decided: DecidedRequests | undefined;

/** Customers of addresses. Undefined: they fail to load. */
let owners: { isKnown: boolean; of: Readonly<Record<string, readonly LineOwner[]>> } | undefined;

async function standing(entries: number) {
  await eventually(() => expect(catalogue.sizes.blocklist + catalogue.sizes.safelist).toBe(entries));
}

it("refuses a line of a megabyte at once, and foresees the others", async () => {
  const text = `203.0.113.9\nx${" ".repeat(999_998)}x`;
  // The fastest of three: a busy machine delays one now and then.
  const tookMs: number[] = [];
  for (let i = 0; i < 3; i++) {
    const begin = performance.now();
    await preview(text);
    tookMs.push(performance.now() - begin);
  }
  expect(Math.min(...tookMs)).toBeLessThan(1_000);
  const { lines } = await preview(text);
  expect(lines.map(({ line, status, message }) => [line, status, message])).toEqual([
    [1, "new", "Will be added."],
    [2, "unreadable", "The line is 1,000,000 characters long. Lines may have 2,000."],
  ]);
});

describe("each line says what would become of it", () => {
  beforeEach(async () => {
    const ctx = lists.ctx({ name: "grace" });
    await addEntries(ctx, { list: "blocklist", addresses: [at("203.0.113.1")], reason: "", ttlMs: hour });
    await addEntries(ctx, { list: "blocklist", addresses: [at("203.0.113.2")], reason: "", ttlMs: null });
    await addEntries(ctx, { list: "blocklist", addresses: [at("8.8.8.0/24")], reason: "", ttlMs: 30 * day });
    await addEntries(ctx, { list: "blocklist", addresses: [at("9.9.9.0/24")], reason: "", ttlMs: hour });
    await addEntries(ctx, {
      list: "safelist",
      addresses: [at("192.88.0.0/24"), at("5.5.5.5"), at("5.5.5.6")],
      reason: "office",
    });
    await lists.client.rpush("blocklist:203.0.113.3", "x");
    await standing(8);
  });

  it.each([
    ["203.0.113.9", "new", "Will be added."],
    ["2001:db8:42::/48", "new", "Will be added, the whole /48."],
    ["203.0.113.1", "extends", "On the blocklist for 1 h; will stay for 1 week."],
    ["203.0.113.2", "kept", "On the blocklist already permanently."],
    ["8.8.8.8", "covered", "8.8.8.0/24 covers it for 4 weeks 2 days."],
    ["9.9.9.9", "new", "Will be added. Outlasts 9.9.9.0/24, which covers it for 1 h."],
    ["192.88.0.1", "safelisted", /^192.88.0.1 is safelisted by 192.88.0.0\/24 \(added by grace: office\)/],
    ["198.51.100.7", "own", "198.51.100.7 is your own address."],
    ["198.51.100.0/24", "own", "198.51.100.0/24 contains your own address, 198.51.100.7."],
    ["127.0.0.1", "protected", "127.0.0.1 overlaps 127.0.0.0/8, which is loopback."],
    ["10.1.2.3", "protected", /a trusted proxy/],
    ["1.0.0.0/8", "too-wide", /wider than \/16/],
    ["1.0.0.0/20", "confirm", "1.0.0.0/20 is wider than /24. Type it again to confirm it."],
    ["203.0.113.256", "not-an-address", /^203.0.113.256 is not an IPv4 address: each part is at most 255\.$/],
    ["203.0.113.9,tomorrow", "unreadable", /"tomorrow" is not a duration/],
    [
      '203.0.113.9,1h,"oops',
      "unreadable",
      'A quote is not closed, or text follows it; write " inside quotes as "".',
    ],
    ["203.0.113.9,2020-01-01", "refused", /cannot end in the past/],
    ["203.0.113.3", "refused", /is a list, not an entry: remove it first/],
    ["5.5.5.0/24", "new", "Will be added, the whole /24. 2 safelisted inside stay free."],
  ])("%s: %s", async (line, status, message) => {
    const { lines, willWrite } = await preview(line);
    expect(lines).toMatchObject([
      {
        line: 1,
        text: line,
        status,
        message: typeof message === "string" ? message : expect.stringMatching(message),
      },
    ]);
    expect(willWrite).toEqual(status === "new" || status === "extends" ? [line] : []);
  });

  it("counts them, suggests what was meant, and writes nothing", async () => {
    const before = await lists.client.dbsize();
    const text = "# bots\r\n203.0.113.9/24\r\n\r\n203.0.113.50\r\n203.0.113.50\r\n203.0.113.1\r\n5.5.5.0/24";
    const { lines, counts, willWrite } = await preview(text);
    expect(lines.map(({ line, status }) => [line, status])).toEqual([
      ...[
        [2, "not-an-address"],
        [4, "new"],
        [5, "duplicate"],
      ],
      ...[
        [6, "extends"],
        [7, "new"],
      ],
    ]);
    expect(lines[0]?.suggestions).toEqual(["203.0.113.0/24"]);
    expect(lines[2]).toMatchObject({ text: "203.0.113.50", message: "203.0.113.50 is on line 4 already." });
    expect(lines[4]?.coversSafelisted).toBe(2);
    expect(counts).toEqual({ add: 2, extend: 1, skip: 1, invalid: 1 });
    expect(willWrite).toEqual(["203.0.113.50", "203.0.113.1", "5.5.5.0/24"]);
    expect(await lists.client.dbsize()).toBe(before);
  });

  it("names the entries of the other list that a line meets, with their reasons", async () => {
    const ctx = lists.ctx({ name: "grace" });
    const addresses = [at("203.0.114.0/24")];
    await addEntries(ctx, { list: "blocklist", addresses, reason: "scanner /24", ttlMs: hour });
    await standing(9);
    const safe = await preview("203.0.114.0/24\n203.0.114.7\n203.0.112.0/23\n7.7.7.7\n192.88.0.7", {
      list: "safelist",
      confirmed: [at("203.0.112.0/23")],
    });
    const by = { address: "203.0.114.0/24", reason: "scanner /24" };
    expect(safe.lines.map(({ conflict }) => conflict)).toEqual([
      { by, inside: 0 },
      { by, inside: 0 },
      { inside: 3 },
      undefined,
      undefined,
    ]);
    const blocked = await preview("5.5.5.5\n7.7.7.7");
    expect(blocked.lines.map(({ status, conflict }) => [status, conflict])).toEqual([
      ["safelisted", { by: { address: "5.5.5.5", reason: "office" }, inside: 0 }],
      ["new", undefined],
    ]);
  });

  it("counts the entries inside of a range that is blocked itself, and what they denied", async () => {
    const ctx = lists.ctx({ name: "grace" });
    const addresses = ["203.0.114.0/24", "203.0.114.30", "203.0.114.31"].map(at);
    await addEntries(ctx, { list: "blocklist", addresses, reason: "scanner", ttlMs: hour });
    await standing(11);
    const of = new Map([
      ...([
        ["203.0.114.0/24", 5_000],
        ["203.0.114.30", 300],
        ["203.0.115.1", 7],
      ] as const),
      // The entry has ended since.
      ["203.0.114.99", 9],
    ]);
    decided = { isAll: true, of };
    const { lines } = await preview("203.0.114.0/24\n203.0.114.30\n203.0.114.7\n192.88.0.7", {
      list: "safelist",
    });
    expect(lines.map(({ conflict }) => conflict)).toEqual([
      {
        by: { address: "203.0.114.0/24", reason: "scanner" },
        ...{ inside: 2, decided: { requests: 5_300, isAll: true } },
      },
      {
        by: { address: "203.0.114.30", reason: "scanner" },
        ...{ inside: 0, decided: { requests: 300, isAll: true } },
      },
      // Its entry denies other clients, too.
      { by: { address: "203.0.114.0/24", reason: "scanner" }, inside: 0 },
      undefined,
    ]);
  });

  it("says of a safelisting which block it wins over", async () => {
    const { lines } = await preview("203.0.113.1\n8.8.8.8\n7.7.7.7", { list: "safelist" });
    expect(lines.map(({ message }) => message)).toEqual([
      "Will be added. It wins over 203.0.113.1 on the blocklist.",
      "Will be added. It wins over 8.8.8.0/24 on the blocklist.",
      "Will be added.",
    ]);
  });
});

describe("addresses of customers", () => {
  const acme = { customer: "acme", requests: 2_440 };
  const text = "198.51.100.30\n198.51.100.10\n203.0.113.1\n127.0.0.1";
  beforeEach(() => {
    owners = {
      isKnown: true,
      of: { "198.51.100.30": [acme], "198.51.100.10": [{ customer: "1042", requests: 0 }, acme] },
    };
  });

  it("are written only when they are chosen", async () => {
    const first = await preview(text, { withCustomers: [] });
    expect(first).toMatchObject({ willWrite: ["203.0.113.1"], counts: { add: 1, skip: 3 } });
    expect(first.areCustomersUnknown).toBeUndefined();
    expect(first.lines.slice(0, 2)).toMatchObject([
      {
        ...{ status: "customer", owners: [acme] },
        message: "Used by customer acme. Not blocked unless you choose it.",
      },
      { status: "customer", message: "Used by customers 1042, acme. Not blocked unless you choose it." },
    ]);
    const second = await preview(text, { withCustomers: [at("198.51.100.30")] });
    expect(second.willWrite).toEqual(["198.51.100.30", "203.0.113.1"]);
    expect(second.lines[0]).toMatchObject({ status: "new", owners: [acme] });
  });

  it("are not asked for on the safelist, and where the caller asks itself", async () => {
    expect((await preview(text, { withCustomers: [], list: "safelist" })).counts.add).toBe(4);
    expect((await preview(text)).willWrite).toHaveLength(3);
  });

  it("are unknown when they fail to load, or a node does not report them", async () => {
    owners = { isKnown: false, of: {} };
    const unreported = await preview(text, { withCustomers: [] });
    owners = undefined;
    for (const each of [unreported, await preview(text, { withCustomers: [] })])
      expect(each).toMatchObject({ areCustomersUnknown: true, counts: { add: 3 } });
  });
});

it("takes a wide range that was typed again", async () => {
  const { willWrite } = await preview("1.0.0.0/20", { confirmed: [at("1.0.0.0/20")] });
  expect(willWrite).toEqual(["1.0.0.0/20"]);
});

it("leaves entries that last longer than staff may choose to admins", async () => {
  const text = "203.0.113.1\n203.0.113.2,never\n203.0.113.3,1h\n203.0.113.4,91d\n203.0.113.5,90d";
  const refused = {
    status: "refused",
    message: "Staff may choose at most 90 days, an admin may choose longer.",
  };
  const mine = { mayForever: false };
  const taken = { status: "new" };
  const ofLines = [refused, taken, refused, taken];
  expect((await preview(text, mine)).lines).toMatchObject([taken, ...ofLines]);
  expect((await preview(text, { ...mine, ttlMs: null })).lines).toMatchObject([refused, ...ofLines]);
  expect((await preview(text, { ...mine, ttlMs: 91 * day })).lines).toMatchObject([refused, ...ofLines]);
  expect((await preview(text)).counts.add).toBe(5);
});

it("numbers the lines of a piece as in the file", async () => {
  const { lines } = await preview("203.0.113.1\n203.0.113.1\nx", { firstLine: 100 });
  expect(lines).toMatchObject([
    { line: 100, text: "203.0.113.1" },
    { line: 101, message: "203.0.113.1 is on line 100 already." },
    { line: 102, text: "x" },
  ]);
});

it("has nothing to say of nothing, and refuses what no list takes", async () => {
  expect(await preview("\n# only words\n")).toEqual({
    lines: [],
    counts: { add: 0, extend: 0, skip: 0, invalid: 0 },
    willWrite: [],
  });
  await expect(preview("203.0.113.1", { ttlMs: 5 })).rejects.toThrow("a second at least");
});

it("foretells exactly what is written", async () => {
  const line = fc.constantFrom(
    ...[
      "203.0.113.1",
      "203.0.113.2",
      "203.0.113.3,2h",
      "203.0.113.0/24",
      "203.0.112.0/23",
      "127.0.0.1",
      "nonsense",
    ],
    ...["198.51.100.7", "192.88.0.1", "192.88.0.0/24", "2001:db8::1", "2001:db8::/32", "203.0.113.4,never"],
  );
  await lists.client.mset("safelist:192.88.0.1", "x", "blocklist:203.0.113.2", "x");
  await lists.client.set("blocklist:203.0.113.1", "x", "PX", hour);
  await standing(3);
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (lines, isImport) => {
        const before = await everything();
        const text = lines.join("\n");
        const { willWrite, counts } = await preview(text);
        const ctx = lists2();
        const input = { list: "blocklist" as const, ttlMs: oneWeekMs, reason: "", confirmed: [] };
        const result = isImport
          ? await importMany(ctx, { ...input, text, expected: willWrite })
          : await addMany(ctx, { ...input, addresses: willWrite });
        expect(result).toMatchObject({ done: counts.add + counts.extend, skipped: [], next: null });
        for (const key of willWrite) await lists.client.del(`blocklist:${key}`);
        for (const [key, value] of before)
          if (!willWrite.includes(key)) expect(await lists.client.get(`blocklist:${key}`)).toBe(value);
        await lists.client.set("blocklist:203.0.113.1", "x", "PX", hour);
        await lists.client.set("blocklist:203.0.113.2", "x");
        await standing(3);
      },
    ),
    { numRuns: 40 },
  );
  function lists2() {
    return lists.ctx({ address: own });
  }
  async function everything() {
    const found = await lists.client.keys("blocklist:*");
    return Promise.all(found.map(async (key) => [key.slice(10), await lists.client.get(key)] as const));
  }
});
