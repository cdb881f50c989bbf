import fc from "fast-check";
import { expect, it } from "vitest";
import { coverings } from "../../ip/block.ts";
import { blockOf, isCanonical } from "../../ip/parse.ts";
import { keys } from "../../redis/keys.ts";
import { coveringKeys, coveringRangesOf } from "./covering-ranges.ts";

const ipv4 = fc
  .tuple(fc.constantFrom("10.2", "10.3"), fc.nat(3), fc.nat(255), fc.integer({ min: 12, max: 33 }))
  .map(([begins, c, d, length]) => `${begins}.${c}.${d}${length > 32 ? "" : `/${length}`}`);
const ipv6 = fc.nat(65_535).map((group) => `2001:db8::${group.toString(16)}`);
const addresses = fc
  .array(fc.oneof(ipv4, ipv6), { maxLength: 30 })
  .map((texts) => [...new Set(texts)].filter(isCanonical));

it("equals what is computed for each address alone", () => {
  fc.assert(
    fc.property(addresses, (some) => {
      const plain = some.map((address) => [address, coverings(blockOf(address))] as const);
      expect([...coveringRangesOf(some)]).toEqual(plain);
      const all = plain.flatMap(([, ranges]) => ranges.map((range) => keys.entry("safelist", range)));
      expect(new Set(coveringKeys(coveringRangesOf(some), ["safelist"]))).toEqual(new Set(all));
    }),
  );
});
