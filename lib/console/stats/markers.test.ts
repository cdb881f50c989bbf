import { beforeEach, expect, it } from "vitest";
import { customer } from "../../enforce/customers/vitest.customers.ts";
import { isCanonical } from "../../ip/parse.ts";
import { testLog } from "../../manage/audit/vitest.log.ts";
import { setTier } from "../../manage/customers/set-tier.ts";
import { addEntries } from "../../manage/lists/add.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { readMarkers, type Whose } from "./markers.ts";

const log = testLog();

beforeEach(async () => {
  const by = { ...log.signed(), protectedRanges: [] };
  const block = (text: string, via = "console") =>
    addEntries(
      { ...by, actor: { ...by.actor, via } },
      { list: "blocklist", addresses: isCanonical(text) ? [text] : [], reason: "a test", ttlMs: 3_600_000 },
    );
  await block("203.0.113.0/28");
  await block("198.51.100.9");
  await block("198.51.100.10", "auto:login/ip");
  await setTier(by, { id: customer("1042"), tier: "pro", reason: "a test" });
  await setTier(by, { id: customer("2210"), tier: "free", reason: "a test" });
  await setMode(by, { mode: "shadow", reason: "a test" });
});

const marked = async (whose: Whose = {}, from = 0) =>
  (await readMarkers(log.signed().redis, { from, ...whose })).markers.map(({ text }) => text);

const mode = "switched the mode from enforce to shadow";

it("marks what people changed, newest first, and not what rules did", async () => {
  const found = await marked();
  expect(found).toHaveLength(5);
  expect(found[0]).toBe(mode);
  expect(found.join()).not.toContain("198.51.100.10");
});

it("marks on a customer's chart what was done to it, and to everybody", async () => {
  expect(await marked({ customer: "1042" })).toEqual([mode, "put customer 1042 into pro"]);
});

it("marks on a client's chart what covered it, also what a rule did", async () => {
  expect(await marked({ client: "203.0.113.9" })).toEqual([mode, expect.stringContaining("203.0.113.0/28")]);
  expect(await marked({ client: "198.51.100.10" })).toEqual([mode, expect.stringContaining("198.51.100.10")]);
});

it("marks nothing from before the chart begins", async () => {
  expect(await marked({}, Date.now() + 60_000)).toEqual([]);
});

it("says each change in a few words, too", async () => {
  const { markers } = await readMarkers(log.signed().redis, { from: 0 });
  expect(markers.map(({ short }) => short)).toEqual([
    ...["mode shadow", "customer tier", "customer tier", "blocked", "blocked"],
  ]);
});

it("knows when the mode was off, and that it still is", async () => {
  const by = log.signed();
  const off = async (from = 0) => (await readMarkers(by.redis, { from })).off;
  expect(await off()).toEqual([]);
  await setMode(by, { mode: "off", reason: "a test" });
  const [since] = await off();
  expect(since).toEqual({ from: expect.any(Number), until: null, isEarlier: false });
  await setMode(by, { mode: "enforce", reason: "a test" });
  const spans = await off();
  expect(spans).toEqual([{ from: since?.from, until: expect.any(Number), isEarlier: false }]);
  expect(await off(Date.now() + 60_000)).toEqual([]);
});
