import { isCanonical } from "../ip/parse.ts";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { type Limited, worseFirst } from "./decide.ts";
import { fingerprintKinds } from "./fingerprint-tally.ts";
import { isKey } from "./key.ts";

/** Who is turned away at the edge, worst first. What cannot be read is left out. */
export async function readLimited(redis: Connection): Promise<Limited[]> {
  const hash = await redis.hgetall(keys.edgeLimited());
  return Object.values(hash)
    .flatMap((text) => parseLimited(text) ?? [])
    .sort(worseFirst);
}

export function parseLimited(text: string | null | undefined): Limited | undefined {
  try {
    const read: unknown = JSON.parse(text ?? "");
    return isLimited(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

const numbers = ["since", "lastOver", "count", "limit", "until"] as const;
const texts = ["host", "path", "method"] as const;

/** By hand, because a page may read ten thousand of them every second. */
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

function isSame(before: Limited | undefined, { count, limit, until, at }: Limited): boolean {
  if (before?.count !== count || before.limit !== limit || before.until !== until) return false;
  return before.at?.join() === at?.join();
}
