import { forgetOnce, oncePerProcess } from "../../redis/once-per-process.ts";
import { type Bans, createBans } from "../bans/bans.ts";
import { CountersHealth, type CountersSource, openStore } from "./counters.ts";
import { inTime } from "./deadline.ts";
import { type FleetNode, type FleetNodeOptions, startNode } from "./fleet-node.ts";

export interface RuntimeOptions extends FleetNodeOptions {
  readonly counters: CountersSource;
}

/** What guards of the same settings share in one process. */
export interface Runtime {
  readonly node: FleetNode;
  readonly counters: CountersHealth;
  /** Nothing where no Redis counts denials. */
  readonly bans?: Bans;
  /** Closes everything, once the last guard that shares it is closed. */
  close(): Promise<void>;
}

/** The process' node and counters for these settings: guards that are made again, as on a reload in development, share them. */
export function acquireRuntime(options: RuntimeOptions): Runtime {
  const { redis, counters, app, protectedRanges } = options;
  if (typeof redis !== "string" || typeof counters !== "string") return open(options);
  const name = `runtime ${JSON.stringify([redis, counters, app, protectedRanges])}`;
  const shared = oncePerProcess(name, () => ({ runtime: open(options), users: 0 }));
  shared.users++;
  let isOpen = true;
  return {
    ...shared.runtime,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      if (--shared.users > 0) return;
      forgetOnce(name);
      await shared.runtime.close();
    },
  };
}

const chargeEveryMs = 1_000;
const settleWithinMs = 500;

function open(options: RuntimeOptions): Runtime {
  const node: FleetNode = startNode(options, () => counters.state);
  const { schedule, uplink } = node;
  const log = (line: string) => node.log(line);
  const isBesideLists = options.counters === options.redis;
  const store = openStore(options.counters, {
    schedule,
    nodes: () => uplink.nodes,
    onOver: (rule, amount) => node.reporter.noteOver(rule, amount),
  });
  const counters = new CountersHealth({
    ...{ store, schedule, log },
    isLoggedAlready: () => isBesideLists && node.isAway,
  });
  const close = async () => {
    // The last report says what these charges found.
    if (store.settle) await inTime(store.settle(), performance.now() + settleWithinMs);
    await node.close();
    await store.close();
  };
  const { send, connection } = store;
  if (send) uplink.add(chargeEveryMs, send);
  if (!connection) return { node, counters, close };
  const bans = createBans({
    control: node.redis,
    counters: connection,
    protectedRanges: () => node.state.protectedRanges,
    app: options.app,
    log,
  });
  uplink.add(chargeEveryMs, () => bans.send());
  return { node, counters, bans, close };
}
