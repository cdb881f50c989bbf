import { CustomerReplica } from "../../enforce/customers/replica.ts";
import { Feeds } from "../../enforce/lists/feeds.ts";
import { Replica } from "../../enforce/lists/replica.ts";
import { rangeList } from "../../ip/range-list.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { Copies, nodeScripts } from "../../redis/copy.ts";
import { keys } from "../../redis/keys.ts";
import { connectPair, Mirror } from "../../redis/mirror.ts";
import { Refresher } from "../../redis/refresher.ts";
import { eventually } from "../../redis/testing.ts";
import { SnapshotKeeper } from "./snapshot-keeper.ts";

/** The copies of a node, from its start on. */
export interface StartedNode {
  readonly lists: Replica;
  readonly customers: CustomerReplica;
  /** Whether it has read all keys. */
  readonly hasWalked: boolean;
  readonly mirror: Mirror;
  /** Resolves when everything is read again. */
  loadedAgain(): Promise<void>;
}

/** Starts nodes and keepers on one server, and ends them. */
export function snapshots(url: () => string) {
  const opened: { close(): Promise<void> }[] = [];
  const keep = (redis = url(), log: (line: string) => void = () => {}): SnapshotKeeper => {
    const keeper = new SnapshotKeeper({ redis, log, fewestPages: 0 });
    keeper.start();
    opened.push({ close: () => keeper.stop() });
    return keeper;
  };
  const start = async (redis = url()): Promise<StartedNode> => {
    const lists = new Replica(rangeList([]), new Feeds());
    const customers = new CustomerReplica();
    let walks = 0;
    let loads = 0;
    const loadPage: typeof nodeScripts.loadPage = {
      run(connection, cursor) {
        if (cursor === "0") walks++;
        return nodeScripts.loadPage.run(connection, cursor);
      },
    };
    const mirror = new Mirror({
      ...connectPair(redis),
      copy: new Copies([lists, customers]),
      events: { onCurrent: () => void loads++, onLost() {}, onApplied() {}, onOther() {} },
      scripts: { ...nodeScripts, loadPage },
      usesSnapshot: true,
    });
    mirror.start();
    opened.push(mirror);
    const loadsReach = (count: number) =>
      eventually(() => {
        if (loads < count) throw new Error("it has not loaded");
      });
    await loadsReach(1);
    return {
      ...{ lists, customers, mirror },
      get hasWalked() {
        return walks > 0;
      },
      loadedAgain: () => loadsReach(loads + 1),
    };
  };
  return {
    keep,
    start,
    /** Checks each start. On a busy machine a keeper may be too late for a node, which reads all keys then: another one starts. */
    async fromSnapshot(
      redis = url(),
      check: (node: StartedNode) => Promise<void> = async () => {},
    ): Promise<StartedNode> {
      const deadline = performance.now() + 40_000;
      for (;;) {
        const node = await start(redis);
        await check(node);
        if (!node.hasWalked) return node;
        if (performance.now() > deadline) throw new Error("nodes read all keys");
      }
    },
    async closeAll() {
      await Promise.all(opened.splice(0).map((one) => one.close()));
    },
  };
}

/** Name of the snapshot that a keeper has confirmed, other than an earlier one. */
export function confirmed(redis: Connection, before = ""): Promise<string> {
  return eventually(async () => {
    const [id, beats] = await redis.hmget(keys.snapshot(), "id", "beats");
    if (!id || id === before || Number(beats) < 1) throw new Error("there is no new snapshot");
    return id;
  });
}

/** Keys that a node holds otherwise than Redis. */
export async function differences(url: string, { lists, customers }: StartedNode): Promise<string[]> {
  const redis = connectControl(url, "patiently");
  const found: string[] = [];
  try {
    const refresher = new Refresher(redis, new Copies([lists, customers]));
    const onFound = async (more: readonly string[]) => void found.push(...more);
    await refresher.compare(new AbortController().signal, { restMs: 0, onFound });
  } finally {
    redis.disconnect();
  }
  return found;
}
