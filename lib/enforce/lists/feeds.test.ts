import fc from "fast-check";
import { expect, it } from "vitest";
import { type Block, covers, format, masked, overlaps } from "../../ip/block.ts";
import { PackedRanges } from "../../ip/packed-ranges.ts";
import { rangeList } from "../../ip/range-list.ts";
import { anyBlock, bounds } from "../../ip/vitest.blocks.ts";
import type { Connection } from "../../redis/connect.ts";
import { type ListName, listNames } from "../../redis/keys.ts";
import { Feeds, feedText } from "./feeds.ts";

interface GivenFeed {
  readonly list: ListName;
  readonly mode: "enforce" | "shadow";
  readonly isPaused: boolean;
  readonly blocks: readonly Block[];
}

/** Of two small networks, so that feeds and protected ranges meet each other and the client. */
const near = fc
  .record({ family: fc.constantFrom(4, 6), low: fc.nat(255), length: fc.integer({ min: 120, max: 128 }) })
  .map(({ family, low, length }): Block => {
    if (family === 6) return masked({ family, a: 0x2001_0db8, b: 0, c: 0, d: low, length }, length);
    return masked({ family: 4, a: 0xcb00_7100 | low, b: 0, c: 0, d: 0, length: length - 96 }, length - 96);
  });

/** Half of IPv4 is a mistake, which a node refuses. */
const far = anyBlock.filter(({ family, length }) => length >= (family === 4 ? 8 : 16));

const anyFeed: fc.Arbitrary<GivenFeed> = fc.record({
  list: fc.constantFrom(...listNames),
  mode: fc.constantFrom("enforce", "enforce", "shadow"),
  isPaused: fc.constantFrom(false, false, false, true),
  blocks: fc.array(fc.oneof(near, far), { maxLength: 8 }),
});

/** An address, often of a block that a feed or a protected range has: its first, its last, or the one beside. */
const anyCase = fc
  .record({
    feeds: fc.array(anyFeed, { maxLength: 5 }),
    guarded: fc.array(fc.oneof(near, anyBlock), { maxLength: 2 }),
    other: fc.oneof(near, anyBlock),
    pick: fc.nat(),
    edge: fc.constantFrom("first", "last", "before", "after", "other"),
  })
  .map(({ feeds, guarded, other, pick, edge }) => {
    const known = [...feeds.flatMap(({ blocks }) => blocks), ...guarded];
    const block = edge === "other" || known.length === 0 ? other : (known[pick % known.length] ?? other);
    return { feeds, guarded, client: addressAt(block, edge) };
  });

function addressAt({ family, ...block }: Block, edge: string): Block {
  const { first, last } = bounds({ family, ...block });
  const bits = family === 4 ? 32 : 128;
  const place = { last, before: first - 1n, after: last + 1n }[edge] ?? first;
  const address = BigInt.asUintN(bits, place);
  const word = (at: number) => Number(BigInt.asIntN(32, address >> BigInt(32 * at)));
  return family === 4
    ? { family, a: word(0), b: 0, c: 0, d: 0, length: bits }
    : { family, a: word(3), b: word(2), c: word(1), d: word(0), length: bits };
}

const idOf = (i: number) => `feed-${i}`;

/** What a node would have read of these feeds. */
async function loaded(given: readonly GivenFeed[], guarded: readonly Block[]): Promise<Feeds> {
  const definitions = given.map(({ list, mode, isPaused }, i) => {
    return [idOf(i), JSON.stringify({ list, mode, isPaused, contents: { digest: String(i) } })];
  });
  const contents = given.map(({ blocks }) => Buffer.from(PackedRanges.of(blocks).pack()));
  const redis: Partial<Connection> = {
    hgetall: async () => Object.fromEntries(definitions),
    getBuffer: async (key) => contents[Number(String(key).split(":").at(-1))] ?? null,
  };
  const feeds = new Feeds();
  await feeds.read(redis as Connection);
  feeds.protect(rangeList(guarded.map(format)));
  return feeds;
}

it("decide as a search through every range would, for any feeds, protected ranges and clients", async () => {
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ feeds, guarded, client }) => {
      const node = await loaded(feeds, guarded);
      const isProtected = guarded.some((range) => overlaps(range, client));
      const around = feeds.flatMap((feed, i) =>
        !feed.isPaused && feed.blocks.some((block) => covers(block, client))
          ? [{ ...feed, id: idOf(i) }]
          : [],
      );
      const enforced = around.filter(({ mode }) => mode === "enforce");
      const decisive =
        enforced.find(({ list }) => list === "safelist") ??
        (isProtected ? undefined : enforced.find(({ list }) => list === "blocklist"));
      const found = node.feedOf(client);
      expect(found && [found.list, found.feed]).toEqual(decisive && [decisive.list, decisive.id]);
      const shadows = around.filter(({ list, mode }) => mode === "shadow" && list === "blocklist");
      expect(node.shadowsOf(client)).toEqual(isProtected ? [] : shadows.map(({ id }) => feedText(id)));
      expect(node.feedsAround(client).map(({ feed }) => feed)).toEqual(around.map(({ id }) => id));
      for (const i of feeds.keys())
        expect(node.isInFeed(idOf(i), client)).toBe(around.some(({ id }) => id === idOf(i)));
      expect(node.isProtected(client)).toBe(isProtected);
    }),
    { numRuns: 1_500 },
  );
});
