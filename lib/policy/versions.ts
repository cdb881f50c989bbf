import { createHash } from "node:crypto";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { freshInstall, parsePolicy, type StoredPolicy } from "./stored.ts";

/** How many versions are kept. */
export const versionsKept = 100;

export interface PolicyInForce extends StoredPolicy {
  /** What stands in Redis cannot be obeyed, and why; told instead is the newest version that can. */
  readonly problem?: string;
}

/** What a change of the policy rests on. */
export interface Basis {
  readonly inForce: PolicyInForce;
  /** The highest number that was given so far. */
  readonly newest: number;
  /** Of what stands in Redis, whatever that is; "" for nothing. */
  readonly digest: string;
}

/** The policy that nodes obey; that of a fresh install until somebody saves one. */
export async function readPolicy(redis: Connection): Promise<PolicyInForce> {
  return (await readBasis(redis)).inForce;
}

export async function readBasis(redis: Connection): Promise<Basis> {
  const raw = await readRaw(redis);
  const parsed = typeof raw === "string" ? undefined : raw && parsePolicy(raw.toString());
  const digest = Buffer.isBuffer(raw) ? createHash("sha1").update(raw).digest("hex") : "";
  if (parsed?.ok)
    return { inForce: parsed.stored, newest: await newestOf(redis, parsed.stored.version), digest };
  const versions = await listVersions(redis);
  const newest = versions[0]?.version ?? 0;
  if (raw === null) return { inForce: freshInstall, newest, digest };
  const problem = `${keys.policy()} in Redis is not obeyed: ${parsed?.problem ?? `it is of type ${raw}`}`;
  const lastGood = versions.find(isGood) ?? freshInstall;
  return { inForce: { ...lastGood, problem }, newest, digest };
}

/** A version that is kept but can no longer be read. */
export interface SpoiledVersion {
  readonly version: number;
  readonly problem: string;
}

/** The versions that are kept, newest first. */
export async function listVersions(redis: Connection): Promise<(StoredPolicy | SpoiledVersion)[]> {
  if (!(await isKept(redis))) return [];
  const hash = await redis.hgetall(keys.policyVersions());
  return Object.entries(hash)
    .filter(([field]) => isVersion(field))
    .map(([field, text]) => read(Number(field), text))
    .toSorted((a, b) => b.version - a.version);
}

/** One version; nothing when it is not kept. */
export async function readVersion(
  redis: Connection,
  version: number,
): Promise<StoredPolicy | SpoiledVersion | undefined> {
  if (version === freshInstall.version) return freshInstall;
  const text = (await isKept(redis)) ? await redis.hget(keys.policyVersions(), String(version)) : null;
  return text === null ? undefined : read(version, text);
}

export function isGood(version: StoredPolicy | SpoiledVersion): version is StoredPolicy {
  return "policy" in version;
}

function read(version: number, text: string): StoredPolicy | SpoiledVersion {
  const parsed = parsePolicy(text);
  return parsed.ok ? { ...parsed.stored, version } : { version, problem: parsed.problem };
}

async function newestOf(redis: Connection, current: number): Promise<number> {
  const fields = (await isKept(redis)) ? await redis.hkeys(keys.policyVersions()) : [];
  return Math.max(current, ...fields.filter(isVersion).map(Number));
}

async function isKept(redis: Connection): Promise<boolean> {
  return (await redis.type(keys.policyVersions())) === "hash";
}

/** A foreign writer may have added any field. */
function isVersion(field: string): boolean {
  return /^[1-9]\d{0,14}$/.test(field);
}

/** The bytes; the type of what should not be there; nothing. */
async function readRaw(redis: Connection): Promise<Buffer | string | null> {
  const kind = await redis.type(keys.policy());
  if (kind === "none") return null;
  return kind === "string" ? redis.getBuffer(keys.policy()) : kind;
}
