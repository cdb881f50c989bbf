import fc from "fast-check";
import { expect, it } from "vitest";
import { format } from "../../ip/block.ts";
import { clientDigest, type DenialToWrite, keyNumberOf, nameDigest, ReferenceKey } from "./reference.ts";

const key = new ReferenceKey(1, Buffer.alloc(32, 1));
const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const address = fc.oneof(
  word.map((a) => ({ family: 4 as const, a, b: 0, c: 0, d: 0, length: 32 })),
  // Not an IPv4 address in IPv6: there is no such block.
  fc
    .tuple(word, word, word)
    .map(([b, c, d]) => ({ family: 6 as const, a: 0x20010db8, b, c, d, length: 128 })),
);
const denial: fc.Arbitrary<DenialToWrite> = fc.record({
  kind: fc.constantFrom("entry", "feed", "suspension", "rule"),
  isBlocked: fc.boolean(),
  at: fc.nat({ max: 2 ** 32 - 1 }),
  client: fc.option(address, { nil: undefined }),
  app: fc.string({ minLength: 1 }),
  decider: fc.string({ minLength: 1 }),
  length: fc.integer({ min: 0, max: 128 }),
  counted: fc.option(
    fc.record({ is: fc.constantFrom("customer" as const, "value" as const), name: fc.string() }),
    { nil: undefined },
  ),
});

it("reads what was written, in upper case, with spaces and with letters in place of digits, too", () => {
  fc.assert(
    fc.property(denial, (given) => {
      const text = key.write(given);
      const { client, app, decider, counted, ...same } = given;
      const facts = {
        ...same,
        client: client && format(client),
        app: nameDigest(app),
        decider: nameDigest(decider),
        counted: counted && { is: counted.is, digest: clientDigest(counted.name) },
      };
      expect(text).toMatch(/^slr-1[0-9a-hjkmnp-tv-z]{36,68}$/);
      expect(key.read(text)).toEqual(facts);
      const copied = ` ${text
        .toUpperCase()
        .replace(/(?<=^.{5,})0/g, "O")
        .replace(/(?<=^.{5,})1/g, "l")} `;
      expect(key.read(copied.replace(/(.{20})/, "$1 - "))).toEqual(facts);
      expect(keyNumberOf(copied)).toBe(1);
    }),
  );
});

it("refuses a text with any one character changed, left out or added", () => {
  const digits = "0123456789abcdefghjkmnpqrstvwxyz";
  fc.assert(
    fc.property(denial, fc.nat(), fc.nat({ max: 30 }), (given, place, step) => {
      const text = key.write(given);
      const at = 5 + (place % (text.length - 5));
      const other = digits.charAt((digits.indexOf(text.charAt(at)) + 1 + step) % 32);
      expect(key.read(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
      expect(key.read(text.slice(0, at) + text.slice(at + 1))).toBeUndefined();
      expect(key.read(text.slice(0, at) + other + text.slice(at))).toBeUndefined();
    }),
  );
});

it("refuses references of another key, and garbage", () => {
  const other = new ReferenceKey(1, Buffer.alloc(32, 2));
  fc.assert(
    fc.property(denial, fc.string(), (given, text) => {
      expect(other.read(key.write(given))).toBeUndefined();
      expect(key.read(text)).toBeUndefined();
      expect(key.read(`slr-1${text}`)).toBeUndefined();
    }),
  );
});

it("gives equal denials references without equal parts", () => {
  const client = { family: 4, a: 1, b: 0, c: 0, d: 0, length: 32 } as const;
  const same: DenialToWrite = {
    ...{ kind: "rule", isBlocked: false, at: 1_800_000_000, client, app: "shop", decider: "login" },
    ...{ length: 0, counted: undefined },
  };
  const texts = Array.from({ length: 500 }, () => key.write(same).slice(5));
  expect(new Set(texts).size).toBe(500);
  for (let place = 0; place + 8 <= 41; place++) {
    // Eight characters are 40 random bits: three equal ones of 500 by chance are not to be expected in the life of this project.
    const parts = new Map<string, number>();
    for (const text of texts) {
      const part = text.slice(place, place + 8);
      parts.set(part, (parts.get(part) ?? 0) + 1);
    }
    expect(Math.max(...parts.values())).toBeLessThan(3);
  }
});
