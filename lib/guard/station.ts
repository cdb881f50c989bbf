import type { RedisSource } from "../redis/connect.ts";
import { atHome, leaveHome } from "../redis/home.ts";
import { Counters } from "./counters.ts";
import { FleetNode, type FleetNodeOptions } from "./fleet-node.ts";

export interface StationOptions extends FleetNodeOptions {
  readonly countersRedis: RedisSource;
}

/** What guards of the same settings share in one process. */
interface Station {
  readonly node: FleetNode;
  readonly counters: Counters;
}

/** A guard's hold on its station. */
export interface Lease extends Station {
  /** Closes everything with the last of the leases. */
  release(): Promise<void>;
}

/** The process' node and counters for these settings: guards that are made again, as on a reload in development, share them. */
export function leaseStation(options: StationOptions): Lease {
  const { redis, countersRedis, app, protectedRanges } = options;
  if (typeof redis !== "string" || typeof countersRedis !== "string") {
    const station = open(options);
    return { ...station, release: () => close(station) };
  }
  const name = `station ${JSON.stringify([redis, countersRedis, app, protectedRanges])}`;
  const shared = atHome(name, () => ({ station: open(options), leases: 0 }));
  shared.leases++;
  let isHeld = true;
  return {
    ...shared.station,
    async release() {
      if (!isHeld) return;
      isHeld = false;
      if (--shared.leases > 0) return;
      leaveHome(name);
      await close(shared.station);
    },
  };
}

function open(options: StationOptions): Station {
  const node = new FleetNode(options);
  return { node, counters: new Counters(options.countersRedis, (line) => node.log(line)) };
}

async function close({ node, counters }: Station): Promise<void> {
  await Promise.all([node.close(), counters.close()]);
}
