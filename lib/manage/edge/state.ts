import { z } from "zod";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";

const dictionary = z.object({
  kind: z.enum(["fastly", "varnish", "haproxy"]),
  name: z.string(),
  capacity: z.number(),
  wished: z.number(),
  actual: z.number().nullable(),
  behindSince: z.number().nullable(),
  trouble: z.string().nullable(),
  callsLastHour: z.number().nullable(),
  callsAnHour: z.number().nullable(),
});

const stateSchema = z.object({
  /** Ms of Redis' clock. */
  at: z.number(),
  ms: z.number(),
  /** The process that syncs the edge. */
  by: z.string(),
  /** The switch at the time of the pass. */
  isOn: z.boolean(),
  mode: z.enum(["enforce", "shadow", "off"]),
  /** Fingerprints over the limit or in their cool-down. */
  found: z.number(),
  /** The number of them that is kept: no more than fit. */
  kept: z.number(),
  dictionaries: z.array(dictionary),
});
export type EdgeSyncState = z.output<typeof stateSchema>;

const pass = z.object({
  /** Ms of Redis' clock. */
  at: z.number(),
  by: z.string(),
  dictionary: z.string(),
  ms: z.number(),
  calls: z.number(),
  added: z.number(),
  removed: z.number(),
  drifted: z.number(),
  trouble: z.string().nullable(),
});
export type SyncPass = z.output<typeof pass>;

/** Edge sync counts as stopped when its last pass is older. */
export const staleAfterMs = 10_000;
const passesKept = 200;

export async function writeState(redis: Connection, state: EdgeSyncState): Promise<void> {
  await redis.set(keys.edgeState(), JSON.stringify(state));
}

/** State after the last pass. Undefined before the first. */
export async function readState(redis: Connection): Promise<EdgeSyncState | undefined> {
  return parse(stateSchema, await redis.get(keys.edgeState()));
}

export async function writePass(redis: Connection, done: SyncPass): Promise<void> {
  await redis.xadd(keys.edgeSweeps(), "MAXLEN", "~", passesKept, "*", "sweep", JSON.stringify(done));
}

/** Passes that changed something or failed, newest first. */
export async function readPasses(redis: Connection, most: number): Promise<SyncPass[]> {
  const entries = await redis.xrevrange(keys.edgeSweeps(), "+", "-", "COUNT", most);
  return entries.flatMap(([, [, text = ""]]) => parse(pass, text) ?? []);
}

/** Undefined for text that Sluice did not write. */
function parse<S extends z.ZodType>(schema: S, text: string | null): z.output<S> | undefined {
  try {
    return schema.parse(JSON.parse(text ?? ""));
  } catch {
    return undefined;
  }
}
