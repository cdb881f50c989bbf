import { type Cidr, type Ip, isCanonical } from "../ip/parse.ts";
import { reasonProblem, writeNote } from "../lists/note.ts";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";

/** What is to be recorded of a ban. */
export interface Ban {
  readonly address: Ip | Cidr;
  readonly rule: string;
  readonly reason: string;
  /** ISO, by Redis' clock. */
  readonly at: string;
}

/** As it stands among the pending ones. */
export interface PendingBan extends Ban {
  /** In ms. */
  readonly expiresAt: number;
}

/** How many bans wait to be sealed. */
export async function countPending(redis: Connection): Promise<number> {
  return redis.hlen(keys.pendingBans());
}

/** Who bans, and through which door. */
export function banner(rule: string): { readonly name: string; readonly via: string } {
  return { name: `auto:${rule}`, via: `auto:${rule}` };
}

/** The value of the blocklist's entry. */
export function entryValue({ rule, reason, at }: Ban): string {
  const { name, via } = banner(rule);
  return writeNote({ reason, by: name, at, via });
}

/** Reads what a node has left; nothing if no node of ours can have written it. */
export function parsePending(text: string): PendingBan | undefined {
  const { address, rule, reason, at, expiresAt } = parseObject(text);
  if (typeof address !== "string" || !isCanonical(address)) return undefined;
  if (!isPlain(rule) || !isPlain(reason) || typeof at !== "string" || !isIso(at)) return undefined;
  if (typeof expiresAt !== "number" || !(Math.abs(expiresAt) <= 8.64e15)) return undefined;
  return { address, rule, reason, at, expiresAt };
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
