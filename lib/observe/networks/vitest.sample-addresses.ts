import type { Block } from "../../ip/block.ts";

/** Addresses all over the internet, the same in each run: three of four are IPv4, the others are in the allocated part of IPv6. */
export function sampleAddresses(count: number): Block[] {
  let state = 20_260_617;
  const word = () => {
    // The generator of "Numerical Recipes". Its high bits are the random ones.
    const next = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      return state >>> 16;
    };
    return (next() << 16) | next() | 0;
  };
  return Array.from({ length: count }, (_, i) => {
    if (i % 4 > 0) return { family: 4, a: word(), b: 0, c: 0, d: 0, length: 32 };
    // 2001::/16, 2400::/12, 2600::/12, 2800::/12, 2a00::/12, 2c00::/12 with small numbers after it, where most ranges begin.
    const starts = [0x2001, 0x2400, 0x2600, 0x2800, 0x2a00, 0x2c0f];
    const start = starts[(word() >>> 8) % starts.length] ?? 0x2a00;
    const spread = start === 0x2001 || start === 0x2c0f ? 0 : word() & 0xf;
    return {
      family: 6,
      a: ((start + spread) << 16) | (word() & 0xffff),
      b: word() & 0xffff,
      c: word(),
      d: word(),
      length: 128,
    };
  });
}
