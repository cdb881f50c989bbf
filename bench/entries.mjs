/** Repeatable numbers from 0 to 1 (mulberry32), so that each run measures the same entries. @param {number} seed */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What attacks look like: mostly single IPv4 addresses, a fifth IPv6, a tenth ranges. @param {() => number} random */
export function* entries(random) {
  const part = (below = 256) => Math.floor(random() * below);
  const group = () => (1 + part(65_535)).toString(16);
  for (;;) {
    const isRange = random() < 0.1;
    if (random() < 0.8) {
      const [a, b, c] = [11 + part(180), part(), part()];
      if (!isRange) yield `${a}.${b}.${c}.${part()}`;
      else if (random() < 0.7) yield `${a}.${b}.${c}.0/24`;
      else yield `${a}.${b}.${c & 240}.0/20`;
    } else {
      const network = `2${part(4096).toString(16).padStart(3, "0")}:${group()}:${group()}`;
      yield isRange ? `${network}::/48` : `${network}:${group()}:${group()}:${group()}:${group()}:${group()}`;
    }
  }
}
