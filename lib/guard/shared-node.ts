import { atHome, leaveHome } from "../redis/home.ts";
import { FleetNode, type FleetNodeOptions } from "./fleet-node.ts";

/** A guard's hold on its node. */
export interface Lease {
  readonly node: FleetNode;
  /** Closes the node with the last of its leases. */
  release(): Promise<void>;
}

/** The process' node for these settings: guards that are made again, as on a reload in development, share it. */
export function leaseNode(options: FleetNodeOptions): Lease {
  if (typeof options.redis !== "string") {
    const node = new FleetNode(options);
    return { node, release: () => node.close() };
  }
  const name = `node ${JSON.stringify([options.redis, options.app, options.protectedRanges])}`;
  const shared = atHome(name, () => ({ node: new FleetNode(options), leases: 0 }));
  shared.leases++;
  let isHeld = true;
  return {
    node: shared.node,
    async release() {
      if (!isHeld) return;
      isHeld = false;
      if (--shared.leases > 0) return;
      leaveHome(name);
      await shared.node.close();
    },
  };
}
