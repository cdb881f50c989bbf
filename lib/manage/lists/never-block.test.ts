import { expect, it } from "vitest";
import { readNeverBlock } from "../../enforce/lists/protected.ts";
import { keys } from "../../redis/keys.ts";
import { protectRange, unprotectRange } from "./never-block.ts";
import { at, testLists } from "./vitest.context.ts";

const lists = testLists();
const office = { range: at("203.0.113.0/24"), reason: "office" };

it("protects a range, with a record and a number that nodes acknowledge", async () => {
  expect(await protectRange(lists.ctx(), office)).toEqual({ change: 1, outcome: "added" });
  expect(await readNeverBlock(lists.ctx().redis)).toEqual([
    {
      range: "203.0.113.0/24",
      why: "a protected range (ada@example.org: office)",
      note: { reason: "office", by: "ada@example.org", at: expect.any(String), via: "console" },
    },
  ]);
  expect(await lists.records()).toMatchObject([
    { action: "never-block.add", change: 1, changes: [{ target: "203.0.113.0/24", before: null }] },
  ]);
  expect(await lists.client.get(keys.change())).toBe("1");
  await lists.expectSoundChain(1);
});

it("keeps one that is there, and records nothing", async () => {
  await protectRange(lists.ctx(), office);
  expect(await protectRange(lists.ctx(), { ...office, reason: "x" })).toEqual({
    change: null,
    outcome: "kept",
  });
  expect(await lists.records()).toHaveLength(1);
});

it("lets a range be blocked again", async () => {
  await protectRange(lists.ctx(), office);
  expect(await unprotectRange(lists.ctx(), { ...office, reason: "moved" })).toEqual({ change: 2 });
  expect(await readNeverBlock(lists.ctx().redis)).toEqual([]);
  expect((await lists.records())[1]).toMatchObject({
    action: "never-block.remove",
    changes: [{ after: null }],
  });
  await expect(unprotectRange(lists.ctx(), office)).rejects.toMatchObject({ code: "not-found" });
});

it("refuses ranges so wide that nothing could be blocked", async () => {
  for (const text of ["0.0.0.0/0", "0.0.0.0/7", "::/0"]) {
    await expect(protectRange(lists.ctx(), { range: at(text), reason: "" })).rejects.toMatchObject({
      code: "bad-input",
    });
  }
  for (const text of ["10.0.0.0/8", "fc00::/7"]) {
    expect(await protectRange(lists.ctx(), { range: at(text), reason: "" })).toMatchObject({
      outcome: "added",
    });
  }
});

it("reads entries of any writer, and skips what is not a range", async () => {
  await lists.client.hset(keys.neverBlock(), { "203.0.113.9": "x", "203.0.113.9/8": "x", junk: "" });
  expect((await readNeverBlock(lists.ctx().redis)).map(({ range }) => range)).toEqual(["203.0.113.9"]);
  await lists.client.set(keys.neverBlock(), "no hash");
  expect(await readNeverBlock(lists.ctx().redis)).toEqual([]);
});

it("reports a key of another type", async () => {
  await lists.client.set(keys.neverBlock(), "no hash");
  await expect(protectRange(lists.ctx(), office)).rejects.toMatchObject({ code: "not-configured" });
  expect(await lists.records()).toEqual([]);
});
