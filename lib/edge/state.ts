import { z } from "zod";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";

const standing = z.object({
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

const state = z.object({
  /** Ms of Redis' clock. */
  at: z.number(),
  ms: z.number(),
  /** Which process sweeps. */
  by: z.string(),
  /** The switch, as this sweep found it. */
  isOn: z.boolean(),
  mode: z.enum(["enforce", "shadow", "off"]),
  /** How many came too often, or have not cooled down yet. */
  found: z.number(),
  /** How many of them are kept: no more than fit. */
  kept: z.number(),
  dictionaries: z.array(standing),
});
export type SweepState = z.output<typeof state>;

const sweep = z.object({
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
export type SweepDone = z.output<typeof sweep>;

/** A sweep that was not told of for so long is no more. */
export const staleAfterMs = 10_000;
const sweepsKept = 200;

export async function writeState(redis: Connection, told: SweepState): Promise<void> {
  await redis.set(keys.edgeState(), JSON.stringify(told));
}

/** How the last sweep left things; nothing when there was none. */
export async function readState(redis: Connection): Promise<SweepState | undefined> {
  return parse(state, await redis.get(keys.edgeState()));
}

export async function writeSweep(redis: Connection, done: SweepDone): Promise<void> {
  await redis.xadd(keys.edgeSweeps(), "MAXLEN", "~", sweepsKept, "*", "sweep", JSON.stringify(done));
}

/** Those that changed something or failed, newest first. */
export async function readSweeps(redis: Connection, most: number): Promise<SweepDone[]> {
  const entries = await redis.xrevrange(keys.edgeSweeps(), "+", "-", "COUNT", most);
  return entries.flatMap(([, [, text = ""]]) => parse(sweep, text) ?? []);
}

/** Nothing for what Sluice did not write. */
function parse<S extends z.ZodType>(schema: S, text: string | null): z.output<S> | undefined {
  try {
    return schema.parse(JSON.parse(text ?? ""));
  } catch {
    return undefined;
  }
}
