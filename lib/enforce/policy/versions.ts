import { createHash } from "node:crypto";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import type { Client } from "./client.ts";
import { type Digest, digestBy, readDigestKey } from "./identify.ts";
import type { Policy, Rule } from "./schema.ts";
import {
  freshInstall,
  isSettled,
  mayEnd,
  type ParsedPolicy,
  parsePolicy,
  type StoredPolicy,
} from "./stored.ts";
import { nextEnd, nothingTimed, withAttack } from "./timed.ts";

/** Raised with whatever older nodes would refuse, or count otherwise. Each node reports the newest that it understands. */
export const policyFormat = 8;

/** The format from which on nodes count values of headers and cookies by digests. */
export const digestFormat = 2;

/** The format from which on nodes know rules that are settled. Older ones leave them out. */
export const settledFormat = 3;

/** The format from which on nodes enforce suspensions of customers. */
export const suspensionFormat = 4;

/** The format from which on nodes enforce overrides of groups and patterns. Older ones ignore them. */
export const sharedOverridesFormat = 7;

/** The format from which on nodes know rules that deny or exempt requests. Older ones leave them out. */
export const requestRulesFormat = 8;

/** The oldest format that has everything this policy says. */
export function formatOf({
  rules,
  tiers,
  requestRules = [],
}: Pick<Policy, "rules" | "tiers" | "requestRules">): number {
  if (requestRules.length > 0) return requestRulesFormat;
  const levels = [...rules, ...Object.values(tiers)].map((owner) => owner.levels);
  if (rules.some(({ client }) => partsOf(client).some(isNetwork))) return 6;
  if (levels.some(allowsNothing)) return 5;
  if (rules.some(isSettled)) return settledFormat;
  const isNew = rules.some(
    ({ match, client }) =>
      match.anyExtension !== undefined || match.serverAction !== undefined || partsOf(client).some(hasShow),
  );
  return isNew ? 2 : 1;
}

/** The oldest format whose nodes enforce the policy, without the rules that they leave out. Older ones keep the policy that they have. */
export function enforcedFrom({ rules, tiers }: Policy): number {
  return formatOf({ rules: rules.filter((rule) => !isSettled(rule)), tiers });
}

/** Earlier versions refuse a limit of 0. */
function allowsNothing(levels: Rule["levels"]): boolean {
  return (
    levels !== "tier" && levels.some((level) => ("limit" in level ? level.limit : level.limitPerSecond) === 0)
  );
}

/** Whether a rule counts by values of headers or cookies, and does not ask to show them. */
export function hidesValues(client: Client): boolean {
  return partsOf(client).some(
    (part) =>
      typeof part === "object" && (part.header !== undefined || part.cookie !== undefined) && !part.show,
  );
}

type ClientPart = Exclude<Client, string> | string;

function partsOf(client: Client): readonly ClientPart[] {
  return typeof client === "string" ? [client] : [client, ...(client.all ?? [])];
}

function isNetwork(part: ClientPart): boolean {
  return typeof part === "object" && part.ip !== undefined;
}

function hasShow(part: ClientPart): boolean {
  return typeof part === "object" && part.show !== undefined;
}

/** As it reports itself: any text of an account that may report. */
export interface OldNode {
  readonly id: string;
  readonly host: string;
}

/** Live nodes that do not understand a format. */
export async function nodesBefore(redis: Connection, format: number): Promise<OldNode[]> {
  const ids = await redis.zrange(keys.nodes(), 0, "-1");
  const reports = await Promise.all(
    ids.map((id) => redis.hmget(keys.node(id), "id", "policyFormat", "host")),
  );
  // A node that is gone has left its id for a moment. One that does not tell is older than formats are.
  return reports.flatMap(([id, known, host]) =>
    id && Number(known ?? 1) < format ? [{ id, host: host ?? "" }] : [],
  );
}

/** A policy that differs from the one read before, with what values are digested by; or why it cannot be used. */
export type PolicyReading =
  | { readonly ok: true; readonly stored: StoredPolicy; readonly digest: Digest | undefined }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the policy in force. An equal text is reported once, because taking a policy compiles it and forgets all known denials,
 * and because the log names a problem once.
 */
export class PolicyReader {
  #last: { readonly text: string | null; readonly digestKey: string | undefined } | undefined;
  /** Of Redis' clock over that of this process. */
  #leadMs = 0;

  /** Undefined when policy and digest key are as they were at the last reading. */
  async read(redis: Connection): Promise<PolicyReading | undefined> {
    const [text, digestKey] = await Promise.all([readText(redis), readDigestKey(redis)]);
    if (text !== null && mayEnd(text)) this.#leadMs = (await redisNow(redis)) - performance.now();
    const last = this.#last;
    if (last && last.text === text && last.digestKey === digestKey) return undefined;
    this.#last = { text, digestKey };
    const reading = this.again();
    return reading?.ok === false && last?.text === text ? undefined : reading;
  }

  /** What was read, with what has ended since. */
  again(): PolicyReading | undefined {
    if (!this.#last) return undefined;
    const { text, digestKey } = this.#last;
    const parsed =
      text === null ? { ok: true as const, stored: freshInstall } : parsePolicy(text, this.#nowMs);
    if (!parsed.ok) return parsed;
    const { stored } = parsed;
    return {
      ok: true,
      stored: { ...stored, policy: withAttack(stored.policy, stored.timed?.attack) },
      digest: digestKey === undefined ? undefined : digestBy(digestKey),
    };
  }

  /** Until something of the policy ends; Infinity where nothing does. */
  msUntilEnd({ timed = nothingTimed }: StoredPolicy): number {
    return nextEnd(timed) - this.#nowMs;
  }

  get #nowMs(): number {
    return performance.now() + this.#leadMs;
  }
}

/** A key of another type reads as "", which is no policy. */
function readText(redis: Connection): Promise<string | null> {
  return redis.get(keys.policy()).catch((error: Error) => {
    if (error.message.startsWith("WRONGTYPE")) return "";
    throw error;
  });
}

/** How many versions are kept. */
export const versionsKept = 100;

export interface PolicyInForce extends StoredPolicy {
  /** Why the policy in Redis cannot be enforced. This is then the newest version that can. */
  readonly problem?: string;
}

/** What a change of the policy rests on. */
export interface PolicyBasis {
  readonly inForce: PolicyInForce;
  /** The highest number that was given so far. */
  readonly newest: number;
  /** Of the value in Redis, of whatever kind; "" for none. */
  readonly digest: string;
}

/** The policy that nodes enforce; that of a fresh install until one is saved. */
export async function readPolicy(redis: Connection): Promise<PolicyInForce> {
  return (await readBasis(redis)).inForce;
}

export async function readBasis(redis: Connection): Promise<PolicyBasis> {
  const raw = await readRaw(redis);
  const parsed = Buffer.isBuffer(raw) ? await parseNow(redis, raw.toString()) : undefined;
  const digest = Buffer.isBuffer(raw) ? createHash("sha1").update(raw).digest("hex") : "";
  if (parsed?.ok)
    return { inForce: parsed.stored, newest: await newestOf(redis, parsed.stored.version), digest };
  const versions = await listVersions(redis);
  const newest = versions[0]?.version ?? 0;
  if (raw === null) return { inForce: freshInstall, newest, digest };
  const problem = `${keys.policy()} in Redis is not enforced: ${parsed?.problem ?? `it is of type ${raw}`}`;
  const lastGood = versions.find(isGood) ?? freshInstall;
  return { inForce: { ...lastGood, problem }, newest, digest };
}

/** With what has ended by now. */
async function parseNow(redis: Connection, text: string): Promise<ParsedPolicy> {
  return parsePolicy(text, mayEnd(text) ? await redisNow(redis) : undefined);
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
  const versions: (StoredPolicy | SpoiledVersion)[] = [];
  const breathe = breathing();
  for (const [field, text] of Object.entries(hash)) {
    await breathe();
    if (isVersion(field)) versions.push(read(Number(field), text));
  }
  return versions.sort((a, b) => b.version - a.version);
}

/** The newest versions as Redis keeps them. */
export async function newestTexts(redis: Connection, most: number): Promise<string[]> {
  if (!(await isKept(redis))) return [];
  const newest = (await redis.hkeys(keys.policyVersions()))
    .filter(isVersion)
    .sort((one, other) => Number(other) - Number(one))
    .slice(0, most);
  if (newest.length === 0) return [];
  const texts = await redis.hmget(keys.policyVersions(), ...newest);
  return texts.filter((text) => text !== null);
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
