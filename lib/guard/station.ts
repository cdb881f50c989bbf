import { type Bans, createBans } from "../bans/bans.ts";
import { atHome, leaveHome } from "../redis/home.ts";
import { Counters } from "./counters.ts";
import { FleetNode, type FleetNodeOptions } from "./fleet-node.ts";
import type { CountersSource } from "./store.ts";

export interface StationOptions extends FleetNodeOptions {
  readonly counters: CountersSource;
}

/** What guards of the same settings share in one process. */
interface Station {
  readonly node: FleetNode;
  readonly counters: Counters;
  /** Nothing where no Redis counts denials. */
  readonly bans?: Bans;
}

/** A guard's hold on its station. */
export interface Lease extends Station {
  /** Closes everything with the last of the leases. */
  release(): Promise<void>;
}

/** The process' node and counters for these settings: guards that are made again, as on a reload in development, share them. */
export function leaseStation(options: StationOptions): Lease {
  const { redis, counters, app, protectedRanges } = options;
  if (typeof redis !== "string" || typeof counters !== "string") {
    const station = open(options);
    return { ...station, release: () => close(station) };
  }
  const name = `station ${JSON.stringify([redis, counters, app, protectedRanges])}`;
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
  const log = (line: string) => node.log(line);
  const isBesideLists = options.counters === options.redis;
  const counters = new Counters(options.counters, log, () => isBesideLists && node.isAway);
  node.countersState = () => counters.state;
  const { connection } = counters.store;
  if (!connection) return { node, counters };
  const protectedRanges = () => node.protectedRanges;
  const bans = createBans({
    control: node.redis,
    counters: connection,
    protectedRanges,
    app: options.app,
    log,
  });
  return { node, counters, bans };
}

async function close({ node, counters, bans }: Station): Promise<void> {
  await bans?.close();
  await Promise.all([node.close(), counters.close()]);
}
