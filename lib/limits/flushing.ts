import type { KnownDenials } from "./known-denials.ts";
import type { RedisScales } from "./scales.ts";

/**
 * Tells Redis once a second what clients weigh by now that were denied without asking: a call for each 128 clients, however
 * often they came. Returns what ends it, with a last flush.
 */
export function startFlushing(
  denials: KnownDenials,
  scales: RedisScales,
  everyMs = 1_000,
): () => Promise<void> {
  let underWay = Promise.resolve();
  const flush = () => {
    underWay = underWay.then(() => scales.charge(denials.drain()));
  };
  const timer = setInterval(flush, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    flush();
    return underWay;
  };
}
