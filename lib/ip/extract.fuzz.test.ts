import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Block, covers, format, isWhole } from "./block.ts";
import { extract } from "./extract.ts";
import { blockOf, isCanonical, parseAddress } from "./parse.ts";
import { spanOf } from "./span.ts";
import { anyBlock, bounds, v4Block, v6Block } from "./vitest.blocks.ts";

/** Times the usual number of cases: `FUZZ=30 npm run test:unit -- lib/ip/extract.fuzz.test.ts`. */
const times = Number(process.env.FUZZ ?? 1);
const runs = (usual: number) => ({ numRuns: usual * times });

const whole = (block: Block): Block => ({ ...block, length: block.family === 4 ? 32 : 128 });
const v4 = v4Block.map((block) => format(whole(block)));
/** Unicast, as networks use it: any other is a doubt beside other text. */
const v6 = v6Block.map((block) => format(whole({ ...block, a: 0x2001_0db8 })));

/** Words of logs and mails in which no address is. */
const word = fc.constantFrom(
  ...[
    "GET",
    "- -",
    "HTTP/1.1",
    "200",
    "[18/Nov/2026:09:02:11",
    "+0000]",
    '"Mozilla/5.0',
    'Chrome/119.0.0.0"',
  ],
  ...["a::b", "09:02:11", "/a?b=c", "00:1a:2b:3c:4d:5e", "x.example", "ua=Scrapy/2.11", "42", "é", "'", "::"],
);
const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(" "));
const defang = (address: string) => address.replaceAll(".", "[.]").replaceAll(":", "[:]");

/** Ways to write one address, from which exactly that address is read. */
const written = fc.oneof(
  fc.tuple(v4, fc.nat(65_535)).map(([address, port]) => ({ address, text: `${address}:${port}` })),
  fc.tuple(v6, fc.nat(65_535)).map(([address, port]) => ({ address, text: `[${address}]:${port}` })),
  fc
    .tuple(fc.oneof(v4, v6), fc.constantFrom("ip=", "client: ", "(", "<", "hxxp://", "from,"))
    .map(([address, before]) => {
      const host = before.endsWith("//") && address.includes(":") ? `[${address}]` : address;
      return { address, text: `${before}${host}` };
    }),
  fc.oneof(v4, v6).map((address) => ({ address, text: defang(address) })),
);

describe("text around one address", () => {
  it("does not change which address is read", () => {
    fc.assert(
      fc.property(text, written, text, (before, { address, text }, after) => {
        const line = `${before} ${text} ${after}`;
        expect(extract(line), line).toEqual({ kind: "exact", addresses: [address] });
      }),
      runs(5_000),
    );
  });

  it("has no address of its own", () => {
    fc.assert(
      fc.property(text, (line) => {
        if (!parseAddress(line).ok) expect(["none", "typo"], line).toContain(extract(line).kind);
      }),
      runs(1_000),
    );
  });
});

it("leaves the choice to a person where there are several", () => {
  fc.assert(
    fc.property(v4, v4, text, (one, other, words) => {
      fc.pre(one !== other);
      const read = extract(`${one} ${words} ${other}`);
      expect(read.kind).toBe("guess");
    }),
    runs(1_000),
  );
});

it("reads any text without a crash, and takes only what is in it", () => {
  const piece = fc.oneof(
    fc.constantFrom(..."0123456789abcf.:/-*[](){}%#;, \t\"'=@?&\\!x–٣", "[.]", "://", "/24", "::", "1.2.3.4"),
    fc.oneof(v4, v6, anyBlock.map(format)),
    fc.string({ unit: "binary", maxLength: 2 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const line = pieces.join("");
      const read = extract(line);
      if (read.kind !== "exact") expect(read.reason).toMatch(/^[ -~\ufffd…]{10,260}$/);
      if (read.kind === "none" || read.kind === "typo") return;
      expect(read.addresses.length).toBeGreaterThan(0);
      expect(read.addresses.every(isCanonical)).toBe(true);
      const strict = parseAddress(line);
      if (strict.ok) expect(read).toEqual({ kind: "exact", addresses: [strict.value] });
    }),
    runs(10_000),
  );
});

it("makes of two addresses the fewest ranges that hold all between them, and no others", () => {
  const pair = fc.tuple(v4Block, fc.integer({ min: 0, max: 65_535 })).map(([block, more]) => {
    const first = Number(bounds(whole(block)).first);
    return { first, last: Math.min(first + more, 2 ** 32 - 1) };
  });
  const blockAt = (address: number): Block => ({
    ...{ family: 4, b: 0, c: 0, d: 0 },
    a: address | 0,
    length: 32,
  });
  fc.assert(
    fc.property(pair, ({ first, last }) => {
      const span = spanOf(blockAt(first), blockAt(last));
      const ranges = span.ok ? span.ranges.map(blockOf) : [];
      const ends = ranges.map(bounds);
      expect(ends.at(0)?.first).toBe(BigInt(first));
      expect(ends.at(-1)?.last).toBe(BigInt(last));
      for (const [i, { last }] of ends.slice(0, -1).entries()) expect(ends[i + 1]?.first).toBe(last + 1n);
      // Two neighbours of one length and one parent would be one range.
      for (const [i, range] of ranges.slice(0, -1).entries()) {
        const next = ranges[i + 1];
        const parent = { ...range, length: range.length - 1 };
        expect(
          next?.length === range.length && covers(parent, next) && ends[i]?.first === bounds(parent).first,
        ).toBe(false);
      }
      expect(ranges.every((range) => range.length >= 16 || isWhole(range))).toBe(true);
    }),
    runs(2_000),
  );
});

it.each([
  ["dots", "1."],
  ["colons", ":"],
  ["groups", "1:"],
  ["slashes", "1/"],
  ["hyphens", "1.2.3.4-"],
  ["brackets", "[.]"],
  ["open brackets", "[["],
  ["addresses", "1.2.3.4 "],
  ["IPv6 addresses", "[2001:db8::1]:443,"],
  ["spaces", "  "],
  ["words", "a "],
  ["questions", "?a/"],
  ["labels", "a:"],
  ["stars", "1.*"],
  ["ranges", "1.2.3.1-1.2.99.254 "],
  ["schemes", "a://"],
])("takes no longer for few long lines of %s than for many short ones", (_, piece) => {
  const msOf = (length: number, lines: number) => {
    const line = `x${piece.repeat(length / piece.length)}x`;
    const times = Array.from({ length: 5 }, () => {
      const begin = performance.now();
      for (let i = 0; i < lines; i++) extract(line);
      return performance.now() - begin;
    });
    return Math.min(...times);
  };
  msOf(2_000, 100);
  // Quadratic time would be eight times as long.
  expect(msOf(2_000, 50)).toBeLessThan(5 * msOf(250, 400) + 1);
});
