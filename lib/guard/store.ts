import { startFlushing } from "../limits/flushing.ts";
import { KnownDenials } from "../limits/known-denials.ts";
import { createMemcachedScales } from "../limits/memcached.ts";
import type { Memcached } from "../limits/memcached-client.ts";
import { createMemoryScales } from "../limits/memory.ts";
import { createScales, type Scales } from "../limits/scales.ts";
import { type CountersConnection, connectCounters, type RedisSource } from "../redis/connect.ts";
import { Pulse } from "../redis/pulse.ts";

/** Redis or memcached, each by its address or as an instance; or `memory:`, for one process that is all there is. */
export type CountersSource = RedisSource | Memcached;

/** Where counts are kept. */
export interface Store {
  readonly scales: Scales;
  /** What need not be asked. */
  readonly denials: KnownDenials;
  /** Redis alone: what counts denials for bans. */
  readonly connection?: CountersConnection;
  /** memcached cannot do what other algorithms need. */
  readonly keepsFixedWindowsOnly: boolean;
  close(): Promise<void>;
}

const pulseEveryMs = 1_000;
/** A foreign hand, or an eviction, may take a counter away at any time. */
const believedMs = 5_000;
/** What another slot has reserved, and gives back, may deny for a moment. */
const believedOnClusterMs = 1_000;

export function openStore(source: CountersSource): Store {
  if (source === "memory:") return inMemory();
  if (typeof source === "string") {
    return source.startsWith("memcached:") ? onMemcached(source) : onRedis(source);
  }
  return "duplicate" in source ? onRedis(source) : onMemcached(source);
}

function inMemory(): Store {
  const denials = new KnownDenials();
  return { scales: createMemoryScales(), denials, keepsFixedWindowsOnly: false, close: async () => {} };
}

function onMemcached(source: string | Memcached): Store {
  const scales = createMemcachedScales(source);
  const denials = new KnownDenials();
  return { scales, denials, keepsFixedWindowsOnly: true, close: async () => scales.close() };
}

function onRedis(source: RedisSource): Store {
  const connection = connectCounters(source, "promptly", "sluice-counters");
  const denials = new KnownDenials({ longestMs: connection.isCluster ? believedOnClusterMs : believedMs });
  const scales = createScales(connection);
  // A failed ping is followed by the close of its connection, which tells more.
  const pulse = new Pulse(connection, () => connection.ping().then(noop, noop));
  // A cluster finds its silent nodes by itself.
  const heart = setInterval(() => connection.isCluster || pulse.beat(), pulseEveryMs).unref();
  const endFlushing = startFlushing(denials, scales);
  return {
    scales,
    denials,
    connection,
    keepsFixedWindowsOnly: false,
    async close() {
      clearInterval(heart);
      await endFlushing();
      connection.disconnect();
    },
  };
}

const noop = () => {};
