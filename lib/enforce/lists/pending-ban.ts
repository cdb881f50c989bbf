import { at } from "../../at.ts";
import type { Block } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, isCanonical } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { readTime } from "../../redis/redis-clock.ts";
import { listIn, outcomesOf } from "../../redis/script.ts";
import { lifeProblem, readUsualNote, reasonProblem, writeNote } from "./entry.ts";

/** A ban that is in force under the nodes' own key, and no entry yet. */
export interface ActiveBan {
  readonly address: Ip | Cidr;
  readonly value: string;
  /** In ms. */
  readonly expiresAt: number;
}

const mostAtOnce = 500;

/** The address that a field of the pending bans names; undefined for a field of an earlier node, which is a number. */
export function pendingAddress(field: string): string | undefined {
  return /^(.+)@\d+$/.exec(field)?.[1];
}

/** The bans that wait for their record and are in force. */
export async function* activePendingBans(redis: Connection): AsyncGenerator<ActiveBan> {
  // Something else may be kept there: doctor says so.
  const fields = await redis.hkeys(keys.pendingBans()).catch(unlessForeign);
  const addresses = [...new Set(fields.flatMap((field) => pendingAddress(field) ?? []))].filter(isCanonical);
  for (let from = 0; from < addresses.length; from += mostAtOnce)
    yield* await readActiveBans(redis, addresses.slice(from, from + mostAtOnce));
}

/** Which of these addresses a node has banned. */
export async function readActiveBans(
  redis: Connection,
  addresses: readonly (Ip | Cidr)[],
): Promise<ActiveBan[]> {
  const asked = addresses.filter((address) => isBannable(blockOf(address)));
  if (asked.length === 0) return [];
  const batch = redis.pipeline().time();
  for (const address of asked) batch.get(keys.ban(address)).pttl(keys.ban(address));
  const outcomes = await outcomesOf(batch);
  const [failure, time] = at(outcomes, 0);
  if (failure) throw failure;
  const now = readTime(listIn(time));
  return asked.flatMap((address, i) => {
    // A key of another type has an error in place of a value, and is no ban.
    const [[, value], [, ttl]] = [at(outcomes, 2 * i + 1), at(outcomes, 2 * i + 2)];
    const ttlMs = Number(ttl);
    return typeof value === "string" && isBanLife(ttlMs) ? [{ address, value, expiresAt: now + ttlMs }] : [];
  });
}

function unlessForeign(error: unknown): [] {
  if (error instanceof Error && error.message.startsWith("WRONGTYPE")) return [];
  throw error;
}

/** What is to be recorded of a ban. */
export interface Ban {
  readonly address: Ip | Cidr;
  readonly rule: string;
  readonly reason: string;
  /** ISO, by Redis' clock. */
  readonly at: string;
}

/** A pending ban as Redis holds it. */
export interface PendingBan extends Ban {
  /** In ms. */
  readonly expiresAt: number;
}

/** The lockout rules want a wider network confirmed, and no machine can confirm it. */
export const widestBan = { 4: 24, 6: 48 } as const;

const longestText = 4_096;
/** A clock that was set may have moved back since the ban. */
export const clockToleranceMs = 60_000;

/** How many bans wait to be sealed. */
export async function countPending(redis: Connection): Promise<number> {
  return redis.hlen(keys.pendingBans());
}

/** Name and source of the actor of a ban. */
export function banner(rule: string): { readonly name: string; readonly via: string } {
  return { name: `auto:${rule}`, via: `auto:${rule}` };
}

/** The value of the ban, and of the blocklist's entry that it becomes. */
export function entryValue({ rule, reason, at }: Ban, tags: readonly string[] = []): string {
  const { name, via } = banner(rule);
  return writeNote({ reason, by: name, at, via, tags });
}

/** Reads what a node has left; undefined if no node of ours can have written it. */
export function parsePending(text: string): PendingBan | undefined {
  if (text.length > longestText) return undefined;
  const { address, rule, reason, at, expiresAt } = parseObject(text);
  if (typeof address !== "string" || !isCanonical(address)) return undefined;
  if (!isPlain(rule) || !isPlain(reason) || typeof at !== "string" || !isIso(at)) return undefined;
  if (typeof expiresAt !== "number" || !(Math.abs(expiresAt) <= 8.64e15)) return undefined;
  return { address, rule, reason, at, expiresAt };
}

/** Reads a standing ban whose pending record is missing; undefined if no node of ours can have written it. */
export function parseActiveBan(address: Ip | Cidr, value: string, expiresAt: number): PendingBan | undefined {
  const note = readUsualNote(value);
  const rule = note && /^auto:(.+)$/s.exec(note.by)?.[1];
  if (!note || rule === undefined || note.via !== note.by) return undefined;
  return parsePending(JSON.stringify({ address, rule, reason: note.reason, at: note.at, expiresAt }));
}

/** Why no node can have made this ban: nodes ban addresses and small networks, for a bounded time. */
export function banProblem(ban: PendingBan, now: number): string | undefined {
  const { address, at } = ban;
  if (!isBannable(blockOf(address))) return `${address} is wider than a rule can ban`;
  const since = Date.parse(at);
  if (since > now + clockToleranceMs) return "it begins in the future";
  // A ban may have waited long for its record, and is over then.
  return lifeProblem(lifeOf(ban)) && "no ban lasts so long or so short";
}

/** In ms. */
export function lifeOf({ at, expiresAt }: Pick<PendingBan, "at" | "expiresAt">): number {
  return expiresAt - Date.parse(at);
}

export function isBannable(block: Block): boolean {
  return block.length >= widestBan[block.family];
}

/** Lengths of networks that rules of the policy in force ban, of both families. */
export type BanLengths = Readonly<Record<4 | 6, ReadonlySet<number>>>;

export const noBanLengths: BanLengths = { 4: new Set(), 6: new Set() };
/** Nothing shorter is the address of one client. */
const clientLengths = { 4: 32, 6: 64 } as const;

type BlockLength = Pick<Block, "family" | "length">;

/** Whether a block is the address of one client, or of IPv6 its network. */
export const isOfClient = ({ family, length }: BlockLength): boolean => length >= clientLengths[family];

/** Whether a ban is enforced: one of a network only where a rule bans such networks, as any node's account can write it. */
export function isBanOf(lengths: BanLengths, block: BlockLength): boolean {
  return isOfClient(block) || lengths[block.family].has(block.length);
}

/** The block that the key of a ban names. Undefined for a key that no node of ours can have written. */
export function bannedBlock(key: string): Block | undefined {
  const text = key.slice(keys.banPrefix().length);
  const block = isCanonical(text) ? blockOf(text) : undefined;
  return block && isBannable(block) ? block : undefined;
}

/** Whether a ban's key with this life left, in ms, is enforced: a ban always ends. */
export function isBanLife(ttlMs: number): boolean {
  return ttlMs >= 0 && lifeProblem(Math.max(ttlMs, 1_000)) === undefined;
}

function isPlain(text: unknown): text is string {
  return typeof text === "string" && reasonProblem(text) === undefined;
}

function isIso(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
