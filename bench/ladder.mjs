/** Number of clients. Each sends a few requests. */
export const population = 30_000;

/** @param {string} rule @param {"fixed" | "earrrl"} algorithm @param {number} limit @param {number} periodSeconds */
const step = (rule, algorithm, limit, periodSeconds) => {
  return { rule, algorithm, limit, periodSeconds, overageWeight: 1, isShadowed: false };
};
/** Levels that a fresh install counts for an anonymous client. */
const ladder = {
  steps: [
    step("req/ip/1", "fixed", 300, 300),
    step("req/ip/2", "fixed", 600, 1_800),
    step("rate/ip", "earrrl", 10, 60),
  ],
};
const costs = [1, 1, 1];
export const loadOf = (/** @type {string} */ client) => ({
  plan: ladder,
  clients: [client, client, client],
  costs,
});

/** A client's address, of the range that is set apart for benchmarks. @param {number} index */
export function address(index) {
  const i = index % population;
  return `198.${18 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`;
}

/** A client's address, of sixteen million. @param {number} index */
export function newAddress(index) {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
}
