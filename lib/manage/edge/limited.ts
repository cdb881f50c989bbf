import { fingerprintKinds } from "../../enforce/edge/fingerprint-tally.ts";
import { isKey } from "../../enforce/policy/fingerprint.ts";
import { isCanonical } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { type Limited, worseFirst } from "./decide.ts";

/** Clients denied at the edge, worst first. Entries that cannot be read are left out. */
export async function readLimited(redis: Connection): Promise<Limited[]> {
  const hash = await redis.hgetall(keys.edgeLimited());
  return Object.values(hash)
    .flatMap((text) => parseLimited(text) ?? [])
    .sort(worseFirst);
}

export function parseLimited(text: string): Limited | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return isLimited(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

const numbers = ["since", "lastOver", "count", "limit", "until"] as const;
const texts = ["host", "path", "method"] as const;

/** Without zod: a page may read ten thousand of them every second. */
function isLimited(read: unknown): read is Limited {
  if (!isObject(read) || !isObject(read.fingerprint)) return false;
  const { key, kind, ip, userAgent, ...place } = read.fingerprint;
  return (
    numbers.every((name) => Number.isFinite(read[name])) &&
    [key, ip, userAgent].every((text) => typeof text === "string") &&
    isKey(String(key)) &&
    isCanonical(String(ip)) &&
    (read.at === undefined ||
      (Array.isArray(read.at) && read.at.every((name) => typeof name === "string"))) &&
    fingerprintKinds.some((known) => known === kind) &&
    texts.every((name) => typeof place[name] === (kind === "standard" ? "string" : "undefined"))
  );
}

function isObject(read: unknown): read is Record<string, unknown> {
  return typeof read === "object" && read !== null;
}

type LimitedMap = ReadonlyMap<string, Limited>;

/** Stores the differences. */
export async function writeLimited(redis: Connection, before: LimitedMap, after: LimitedMap): Promise<void> {
  const removed = [...before.keys()].filter((key) => !after.has(key));
  const changed = [...after].filter(([key, limited]) => !isSame(before.get(key), limited));
  if (removed.length > 0) await redis.hdel(keys.edgeLimited(), ...removed);
  if (changed.length > 0) {
    const pairs = changed.flatMap(([key, limited]) => [key, JSON.stringify(limited)]);
    await redis.hset(keys.edgeLimited(), ...pairs);
  }
}

function isSame(before: Limited | undefined, { count, limit, until, at }: Limited): boolean {
  if (before?.count !== count || before.limit !== limit || before.until !== until) return false;
  return before.at?.join() === at?.join();
}
