import type { Environment } from "../../env.ts";
import type { Connection } from "../../redis/connect.ts";
import { controlConnection } from "../../redis/connections.ts";
import { readProtection } from "../lists/protection.ts";
import { readDictionaries } from "./dictionaries.ts";
import { EdgeSync } from "./sync.ts";

/** Syncs the edge until the process ends or the returned function is called. */
export function startEdgeSync(env: Environment): () => void {
  if (env.redisUrl === undefined) return () => {};
  const sync = edgeSyncOf(env)(controlConnection(env.redisUrl));
  void sync.run();
  return () => sync.stop();
}

/** Throws on wrong settings before a connection is made. */
export function edgeSyncOf(env: Environment): (redis: Connection) => EdgeSync {
  const dictionaries = readDictionaries(env);
  const { neverBlock } = readProtection(env);
  return (redis) => new EdgeSync({ redis, dictionaries, neverBlock });
}
