import { z } from "zod";
import { type Ip, isCanonical } from "../ip/parse.ts";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { type Limited, worseFirst } from "./decide.ts";
import { fingerprintKinds } from "./fingerprint-tally.ts";
import { isKey } from "./key.ts";

const fingerprint = z.object({
  key: z.string().refine(isKey),
  kind: z.enum(fingerprintKinds),
  ip: z.custom<Ip>((text) => typeof text === "string" && isCanonical(text)),
  userAgent: z.string(),
  host: z.string().optional(),
  path: z.string().optional(),
  method: z.string().optional(),
});

const schema = z.object({
  fingerprint,
  since: z.number(),
  lastOver: z.number(),
  count: z.number(),
  limit: z.number(),
  until: z.number(),
});

/** Who is turned away at the edge, worst first. What cannot be read is left out. */
export async function readLimited(redis: Connection): Promise<Limited[]> {
  const hash = await redis.hgetall(keys.edgeLimited());
  return Object.values(hash)
    .flatMap((text) => parseLimited(text) ?? [])
    .sort(worseFirst);
}

export function parseLimited(text: string | null | undefined): Limited | undefined {
  try {
    // The one cast: zod makes an optional property one that may be undefined.
    return schema.parse(JSON.parse(text ?? "")) as Limited;
  } catch {
    return undefined;
  }
}

type Held = ReadonlyMap<string, Limited>;

/** Tells only what has changed. */
export async function writeLimited(redis: Connection, before: Held, after: Held): Promise<void> {
  const gone = [...before.keys()].filter((key) => !after.has(key));
  const changed = [...after].filter(([key, limited]) => !isSame(before.get(key), limited));
  if (gone.length > 0) await redis.hdel(keys.edgeLimited(), ...gone);
  if (changed.length > 0) {
    const pairs = changed.flatMap(([key, limited]) => [key, JSON.stringify(limited)]);
    await redis.hset(keys.edgeLimited(), ...pairs);
  }
}

function isSame(before: Limited | undefined, { count, limit, until }: Limited): boolean {
  return before !== undefined && before.count === count && before.limit === limit && before.until === until;
}
