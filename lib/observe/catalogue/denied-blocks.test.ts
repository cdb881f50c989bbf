import fc from "fast-check";
import { expect, it } from "vitest";
import { Feeds } from "../../enforce/lists/feeds.ts";
import { Replica } from "../../enforce/lists/replica.ts";
import { type Block, covers, format, masked } from "../../ip/block.ts";
import { blockOf } from "../../ip/parse.ts";
import { rangeList } from "../../ip/range-list.ts";
import { keys, type ListName, listNames } from "../../redis/keys.ts";
import { type DeniedBlock, eachDenied } from "./denied-blocks.ts";
import { ListTable } from "./list-table.ts";

const hour = 3_600_000;

/** In one /24 and one /56, so that entries of both lists meet. */
const block: fc.Arbitrary<Block> = fc
  .tuple(fc.boolean(), fc.nat(255), fc.integer({ min: 0, max: 8 }))
  .map(([isV6, last, free]) => {
    const length = (isV6 ? 64 : 32) - free;
    const whole = isV6
      ? { family: 6 as const, a: 0x20010db8, b: last, c: 0, d: 0, length }
      : { family: 4 as const, a: 0xcb007100 | last, b: 0, c: 0, d: 0, length };
    return masked(whole, length);
  });
const entries = fc.array(fc.record({ block, hours: fc.constantFrom(-1, 1, 2) }), { maxLength: 12 });

async function denied(given: Readonly<Record<ListName, readonly { block: Block; hours: number }[]>>) {
  const now = performance.now();
  const tables = { safelist: new ListTable("safelist"), blocklist: new ListTable("blocklist") };
  const replica = new Replica(rangeList([]), new Feeds());
  for (const list of listNames)
    for (const { block, hours } of given[list]) {
      tables[list].put(format(block), "x", now + hours * hour);
      replica.put(keys.entry(list, format(block)), hours * hour);
    }
  const visited: DeniedBlock[] = [];
  await eachDenied(tables, { now, offset: 0 }, (one) => visited.push(one));
  return { visited, replica };
}

it("visits what nodes deny, each block once", async () => {
  await fc.assert(
    fc.asyncProperty(
      entries,
      entries,
      fc.array(block, { minLength: 20, maxLength: 20 }),
      async (safe, bad, asked) => {
        const { visited, replica } = await denied({ safelist: safe, blocklist: bad });
        const values = visited.map(({ value }) => value);
        expect(new Set(values).size).toBe(values.length);
        for (const place of asked) {
          const client = { ...place, length: place.family === 4 ? 32 : 128 };
          const isDenied =
            !replica.match("safelist", client) && replica.match("blocklist", client) !== undefined;
          expect([format(client), values.some((value) => covers(blockOf(value), client))]).toEqual([
            format(client),
            isDenied,
          ]);
        }
      },
    ),
    { numRuns: 300 },
  );
});

it("gives a part of several ranges the last of their ends", async () => {
  const [wide, narrow, safe] = (["203.0.113.0/30", "203.0.113.2/31", "203.0.113.2"] as never[]).map(blockOf);
  if (!wide || !narrow || !safe) throw new Error("three blocks");
  const { visited } = await denied({
    safelist: [{ block: safe, hours: 1 }],
    blocklist: [
      { block: wide, hours: 1 },
      { block: narrow, hours: 2 },
    ],
  });
  const left = Object.fromEntries(visited.map(({ value, endsAt }) => [value, endsAt]));
  expect(left).toEqual({
    "203.0.113.0/31": expect.closeTo(performance.now() + hour, -4),
    "203.0.113.3": expect.closeTo(performance.now() + 2 * hour, -4),
  });
});
