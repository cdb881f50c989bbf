import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DomainError } from "../../errors.ts";
import { exportEntries } from "../../observe/lists/export.ts";
import { addEntries } from "./add.ts";
import { importEntries, previewImport } from "./import.ts";
import { importPermission, readImport, readLines } from "./import-lines.ts";
import { at, collect, ip, testLists } from "./vitest.context.ts";

const lists = testLists();
const list = "blocklist" as const;
const day = 86_400_000;
const run = (text: string, more: Partial<Parameters<typeof importEntries>[1]> = {}) =>
  importEntries(lists.ctx({ via: "import" }), { list, text, reason: "import", ...more });

describe("reading a file", () => {
  const life = (text: string) => readImport(text).lines.map((line) => line.life);

  it("takes one address a line, with comments", () => {
    expect(
      readImport("\ufeff# bots\r\n203.0.113.9\r\n\r\n2001:DB8::1 # spelled big\r\n203.0.113.0/25"),
    ).toEqual({
      lines: [
        { line: 2, address: "203.0.113.9" },
        { line: 4, address: "2001:db8::1" },
        { line: 5, address: "203.0.113.0/25" },
      ],
      problems: [],
    });
  });

  it("takes a life and a reason behind the address", () => {
    expect(
      readImport('203.0.113.9,24h,"scraper, again"\n203.0.113.10,2030-01-31,\n203.0.113.11,,x\n').lines,
    ).toEqual([
      { line: 1, address: "203.0.113.9", life: { forMs: day }, reason: "scraper, again" },
      { line: 2, address: "203.0.113.10", life: { until: Date.UTC(2030, 0, 31) } },
      { line: 3, address: "203.0.113.11", reason: "x" },
    ]);
  });

  it("reads the address in any text, and leaves out the rest", () => {
    const text = [
      "// from the mail",
      "; and a ticket",
      '198.51.100.1 - - [18/Nov/2026] "GET /a, HTTP/1.1" 200 5 "-" "Scrapy, really"',
      "client=198.51.100.2, status 403",
      "198[.]51[.]100[.]3,scraper",
      "198.51.100.4:443",
      "[2001:db8::4]:443",
      "198.51.100.5,42",
      "198.51.100.10-198.51.100.13",
      '{"ip":"198.51.100.6","path":"/a"}',
      "198[.]51[.]100[.]7,1h,scraper",
      '198.51.100.8, "open',
      'x,"198.51.100.9',
      'close"',
    ];
    const { lines, problems } = readImport(text.join("\n"));
    expect(lines).toEqual([
      { line: 3, address: "198.51.100.1" },
      { line: 4, address: "198.51.100.2" },
      { line: 5, address: "198.51.100.3" },
      { line: 6, address: "198.51.100.4" },
      { line: 7, address: "2001:db8::4" },
      { line: 8, address: "198.51.100.5" },
      { line: 9, address: "198.51.100.10/31" },
      { line: 9, address: "198.51.100.12/31" },
      { line: 10, address: "198.51.100.6" },
      { line: 11, address: "198.51.100.7", life: { forMs: 3_600_000 }, reason: "scraper" },
      { line: 12, address: "198.51.100.8" },
      { line: 13, address: "198.51.100.9" },
    ]);
    expect(problems).toMatchObject([{ line: 14, message: 'There is no address in close"' }]);
  });

  it("reads the ranges that networks publish as JSON, and lists with counts, sets or references", () => {
    const addresses = (text: string) => readImport(text).lines.map(({ address }) => address);
    const aws = '{"prefixes":[{"ip_prefix":"198.51.100.0/24","region":"eu-west-1"}],\n"ipv6_prefixes":[]}';
    expect(readImport(aws)).toEqual({ lines: [{ line: 1, address: "198.51.100.0/24" }], problems: [] });
    expect(addresses(`{"cidr":"198.51.100.0/24","sblid":"SBL1"}\n{"cidr":"2001:db8::/48"}\n`)).toEqual([
      "198.51.100.0/24",
      "2001:db8::/48",
    ]);
    expect(addresses('{"remote":"203.0.113.7","server":"10.0.0.1"}\n')).toEqual([]);
    expect(addresses("203.0.113.7\t9\n")).toEqual(["203.0.113.7"]);
    expect(addresses("198.51.100.0/24 ; SBL256894\n")).toEqual(["198.51.100.0/24"]);
    expect(addresses("add blocklist 203.0.113.7\n")).toEqual(["203.0.113.7"]);
    expect(addresses("[2001:db8::1]:443\n")).toEqual(["2001:db8::1"]);
  });

  it("suggests what it does not take without a question, with the other columns", () => {
    const text = "203.0.113.9/24,1h,scraper\n203.0.113.*\n203.0.113.1 203.0.113.2";
    expect([...readLines(text)]).toMatchObject([
      { line: 1, fault: "not-an-address", suggestions: ["203.0.113.0/24,1h,scraper"] },
      { line: 2, message: "203.0.113.* is probably 203.0.113.0/24", suggestions: ["203.0.113.0/24"] },
      { line: 3, suggestions: ["203.0.113.1", "203.0.113.2"] },
    ]);
    const [line] = [...readLines('reason,address\n"a, b",203.0.113.9/24')];
    expect(line).toMatchObject({ suggestions: ['"a, b",203.0.113.0/24'] });
  });

  it("goes by a header, if there is one", () => {
    const text = "Reason,ADDRESS,expires_at,by\nx,203.0.113.9,never,ada\n";
    expect(readImport(text).lines).toEqual([
      { line: 2, address: "203.0.113.9", life: "forever", reason: "x" },
    ]);
    expect(life("address,ttl,expires_at\n203.0.113.9,1h,\n203.0.113.10,,2030-01-31")).toHaveLength(2);
    expect(() => readImport("address,expire_at\n203.0.113.9,never")).toThrow(
      'the column "expire_at" is unknown',
    );
  });

  it.each([
    ["300.1.1.1", "address", "each part is at most 255"],
    ["203.0.113.9/24", "address", "the range is 203.0.113.0/24"],
    ["203.0.113.9,tomorrow", "ttl", '"tomorrow" is not a duration'],
    ["203.0.113.9,2030-02", "ttl", '"2030-02" is not a moment'],
    ["203.0.113.9,1h,a\x1bb", "reason", "no control characters"],
    ["203.0.113.9,1h,a,b", "line", "there are 4 columns, not 3"],
    ['203.0.113.9,1h,"a', "line", "a quote is not closed"],
    [",1h,a", "address", "There is no address in ,1h,a"],
    ["203.0.113.1", "address", "203.0.113.1 is on line 1 already"],
  ])("tells line and field of %j", (bad, field, message) => {
    const { lines, problems } = readImport(`203.0.113.1\n# comment\n${bad}\n203.0.113.2`);
    expect(lines.map(({ line }) => line)).toEqual([1, 4]);
    expect(problems).toEqual([
      { line: 3, field, message: expect.stringContaining(message), code: "bad-input" },
    ]);
  });

  it("refuses both a ttl and an end, and files that are too long", () => {
    expect(readImport("address,ttl,expires_at\n203.0.113.9,1h,never").problems).toMatchObject([
      { line: 2, field: "expires_at", message: "give either ttl or expires_at, not both" },
    ]);
    expect(() => readImport("x".repeat(20_000_001))).toThrow(
      "The file is too long: 20 million characters at most",
    );
    expect(() => readImport("x\n".repeat(200_001))).toThrow("200000 lines at most");
  });

  it.each([
    ["spaces", `x${" ".repeat(999_998)}x`],
    ["a comment far behind the address", `192.0.2.1${" ".repeat(990_000)}# bot`],
    ["commas", ",".repeat(1_000_000)],
    ["an open quote", `"${'""'.repeat(499_999)}`],
    ["spaces before a quote", `${" ".repeat(999_000)}"x" y`],
    ["a cell over many lines", `"${" \n".repeat(499_998)}"`],
    ["an address over many lines", `"1${" \n".repeat(499_990)}1"`],
    ["short lines", `${"x".repeat(900)} ${" ".repeat(900)}x\n`.repeat(550)],
  ])("reads or refuses a megabyte of %s in under 100 ms", (_, text) => {
    const took = (read: () => unknown) => {
      const begin = performance.now();
      read();
      return performance.now() - begin;
    };
    const fastest = (read: () => unknown) => Math.min(...Array.from({ length: 3 }, () => took(read)));
    expect(fastest(() => readImport(text))).toBeLessThan(100);
    expect(fastest(() => importPermission(text, new Set(), "forever", Date.now()))).toBeLessThan(100);
    expect(readImport(text).lines).toEqual([]);
  });

  it("reads a megabyte of log lines in about the time of a megabyte of addresses", () => {
    const textOf = (rest: string) => {
      const count = Math.round(1_000_000 / (rest.length + 15));
      return Array.from(
        { length: count },
        (_, i) => `198.${18 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}${rest}\n`,
      ).join("");
    };
    const fastest = (text: string) => {
      const took = Array.from({ length: 5 }, () => {
        const begin = performance.now();
        expect(readImport(text).problems).toEqual([]);
        return performance.now() - begin;
      });
      return Math.min(...took);
    };
    const log =
      ' - - [18/Nov/2026:09:02:11 +0000] "GET /c?x=1, HTTP/1.1" 200 5 "-" "Mozilla/5.0 Chrome/119.0.0.0"';
    // As long on a quiet machine. Quadratic time would be a hundred times as long.
    expect(fastest(textOf(log))).toBeLessThan(5 * fastest(textOf("")));
  });

  it("names the line that is too long, and its length", () => {
    const { lines, problems } = readImport(`192.0.2.1\n${"x".repeat(300_000)}\n192.0.2.2`);
    expect(lines.map(({ line }) => line)).toEqual([1, 3]);
    const message = "the line is 300,000 characters long. Lines may have 2,000";
    expect(problems).toEqual([{ line: 2, field: "line", code: "bad-input", message }]);
  });

  it("never throws but for what it says", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void readImport(`1.2.3.4\n${text}`)));
  });
});

describe("a file of ten lines with a fault in line 7", () => {
  const text = Array.from({ length: 10 }, (_, i) => (i === 6 ? "203.0.113.256" : `203.0.113.${i}`)).join(
    "\n",
  );

  it("writes nothing, and names line and field", async () => {
    const error: DomainError = await run(text).catch((thrown) => thrown);
    expect(error.message).toBe(
      "Line 7, address: 203.0.113.256 is not an IPv4 address: each part is at most 255\n" +
        "Nothing was written. 9 other lines are fine.",
    );
    expect(error).toMatchObject({ code: "bad-input", fields: { "line 7, address": /at most 255/ } });
    expect(await lists.client.dbsize()).toBe(0);
  });

  it("writes the nine others when that is what the caller wants", async () => {
    const imported = await run(text, { onlyValid: true });
    expect(imported).toMatchObject({ change: 1, record: 1, before: 0 });
    expect(imported.lines).toHaveLength(9);
    expect(imported.problems).toMatchObject([{ line: 7 }]);
    expect(await lists.client.keys("blocklist:*")).toHaveLength(9);
    expect(await lists.records()).toMatchObject([
      { action: "blocklist.import", via: "import", reason: "import" },
    ]);
  });
});

it("previews each line and writes nothing", async () => {
  await addEntries(lists.ctx(), { list, addresses: [at("203.0.113.2")], reason: "", ttlMs: null });
  const text = "203.0.113.1\n203.0.113.2\n127.0.0.1\n203.0.112.0/23\n203.0.113.5,2020-01-01";
  const preview = await previewImport(lists.ctx(), { list, text, reason: "" });
  expect(preview.lines).toMatchObject([
    { line: 1, outcome: { outcome: "added" } },
    { line: 2, outcome: { outcome: "kept" } },
  ]);
  expect(preview.problems).toMatchObject([
    { line: 3, code: "lockout" },
    { line: 4, code: "needs-confirmation" },
    { line: 5, message: /cannot end in the past/ },
  ]);
  expect(await lists.records()).toHaveLength(1);
});

it("writes the part of a range that may be written", async () => {
  const text = "126.255.255.254-127.0.0.1";
  const { lines, problems } = await run(text, { onlyValid: true });
  expect([lines.length, problems]).toMatchObject([1, [{ line: 1, message: /loopback/ }]]);
  expect(await lists.client.keys("blocklist:*")).toEqual(["blocklist:126.255.255.254/31"]);
});

it("writes wide ranges that were confirmed, and never the importer's own address", async () => {
  const wide = at("203.0.112.0/23");
  const own = lists.ctx({ address: ip("203.0.113.7") });
  const attempt = importEntries(own, { list, text: wide, reason: "", confirmed: [wide] });
  await expect(attempt).rejects.toThrow("contains your own address, 203.0.113.7");
  expect((await run(wide, { confirmed: [wide] })).change).toBe(1);
});

it("takes 2,000 lines in four steps with one record", async () => {
  const text = Array.from({ length: 2_000 }, (_, i) => `203.0.${i >> 8}.${i & 255},2030-01-31,bot ${i}`).join(
    "\n",
  );
  const { change, record, lines } = await run(text);
  expect([change, record, lines.length]).toEqual([4, 1, 2_000]);
  expect(await lists.client.keys("blocklist:*")).toHaveLength(2_000);
  expect(await lists.records()).toHaveLength(1);
  expect((await lists.parts(1)).map((part) => part.changes.length)).toEqual([500, 500, 500, 500, 0]);
  expect(JSON.parse((await lists.client.get("blocklist:203.0.7.207")) ?? "")).toMatchObject({
    reason: "bot 1999",
  });
  await lists.expectSoundChain(1);
  expect(await run(text)).toMatchObject({ change: null, record: null });
  expect(await lists.records()).toHaveLength(1);
});

it("looks up no more at once than Redis does in a moment", async () => {
  const text = Array.from({ length: 250 }, (_, i) => `2001:db8:1:1:1:1:1:${(i + 1).toString(16)}`).join("\n");
  expect((await run(text)).change).toBe(3);
  expect(await lists.client.keys("blocklist:*")).toHaveLength(250);
});

it("refuses an empty file", async () => {
  await expect(run("# nothing\n")).rejects.toThrow("There is no address in it.");
});

it("comes back from an export as it was", async () => {
  const reason = fc
    .string({ unit: fc.constantFrom(..."'=+-@\",\n# aé🙂"), maxLength: 20 })
    .map((text) => text.trim());
  await fc.assert(
    fc.asyncProperty(fc.array(reason, { minLength: 1, maxLength: 8 }), async (reasons) => {
      await lists.client.flushall();
      for (const [i, text] of reasons.entries()) {
        const ttlMs = i % 2 ? null : day;
        const tags = { add: ["a", "b:1", "c"].slice(0, i) };
        await addEntries(lists.ctx(), { list, addresses: [at(`203.0.113.${i}`)], reason: text, ttlMs, tags });
      }
      const exported = await collect(exportEntries(lists.ctx().redis, list));
      await lists.client.flushall();
      await run(exported.join(""), { reason: "" });
      for (const [i, text] of reasons.entries()) {
        const value = await lists.client.get(`blocklist:203.0.113.${i}`);
        expect(JSON.parse(value ?? "").reason).toBe(text);
        expect(JSON.parse(value ?? "").tags ?? []).toEqual(["a", "b:1", "c"].slice(0, i));
        expect((await lists.client.pttl(`blocklist:203.0.113.${i}`)) === -1).toBe(i % 2 === 1);
      }
    }),
    { numRuns: 40 },
  );
});

it("exports entries of any writer, guarded, with author and time", async () => {
  await lists.client.set("blocklist:203.0.113.9", '=HYPERLINK("x")');
  await lists.client.rpush("blocklist:203.0.113.10", "no entry");
  const rows = await collect(exportEntries(lists.ctx().redis, list));
  expect(rows.join("")).toBe(
    'address,expires_at,reason,by,at,via,tags\r\n203.0.113.9,never,"\'=HYPERLINK(""x"")",,,,\r\n',
  );
});
