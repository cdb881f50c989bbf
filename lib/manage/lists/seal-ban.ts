import { at } from "../../at.ts";
import { readUsualNote } from "../../enforce/lists/entry.ts";
import { refusal } from "../../enforce/lists/lockout.ts";
import {
  type ActiveBan,
  banner,
  banProblem,
  clockToleranceMs,
  entryValue,
  lifeOf,
  type PendingBan,
  parseActiveBan,
  parsePending,
  pendingAddress,
  readActiveBans,
} from "../../enforce/lists/pending-ban.ts";
import { protector, readRanges } from "../../enforce/lists/protected.ts";
import { coverings } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import { deleteAnnounced } from "../../redis/change-stream.ts";
import { keys } from "../../redis/keys.ts";
import type { Holding, Slot, Snapshot } from "../../redis/snapshot.ts";
import { type ChangeDecision, commit } from "../audit/commit.ts";
import type { EarlierChange, StoredValue } from "../audit/record.ts";
import { canBan } from "../policy/ban-terms.ts";
import type { ListContext } from "./change-entries.ts";
import { isLater } from "./life.ts";
import { tagsOf } from "./tags.ts";

/**
 * Makes the bans of these addresses entries, so that a change of the blocklist finds one place for each address, also in
 * the second before a console has sealed a ban, and where no console runs.
 */
export async function settleBans(
  { redis, seal, protectedRanges }: BanSealer,
  addresses: readonly (Ip | Cidr)[],
): Promise<void> {
  const ctx = { redis, seal, protectedRanges };
  // A ban whose key ended early is pending still, and would return when it is sealed.
  if ((await redis.exists(keys.pendingBans(), ...addresses.map(keys.ban))) === 0) return;
  const wanted = new Set<string | undefined>(addresses);
  const fields = (await redis.hkeys(keys.pendingBans())).filter((field) => wanted.has(pendingAddress(field)));
  for (const field of fields) await sealPendingBan(ctx, field, await redis.hget(keys.pendingBans(), field));
  for (const ban of await readActiveBans(redis, addresses)) await sealStanding(ctx, ban);
}

/** Seals one of the pending bans, or discards it. Returns why it was discarded. */
export async function sealPendingBan(
  ctx: BanSealer,
  field: string,
  text: string | null,
): Promise<{ isDone: boolean; refused?: string }> {
  if (text === null) return { isDone: false };
  const ban = parsePending(text);
  const named = pendingAddress(field);
  const isOurs = ban && (named === undefined || named === ban.address);
  const result = isOurs
    ? await sealBan(ctx, { ban, pending: { field, text } })
    : { isDone: false, refused: "it is not as a node writes it" };
  if (result.refused === undefined) return result;
  await ctx.redis.hdel(keys.pendingBans(), field);
  if (isOurs) await deleteAnnounced(ctx.redis, keys.ban(ban.address));
  return result;
}

/** Seals a ban in force that left no pending record, or takes it away if no node of ours can have made it. */
async function sealStanding(
  ctx: BanSealer,
  { address, value, expiresAt }: ActiveBan,
): Promise<{ isDone: boolean; refused?: string }> {
  const ban = parseActiveBan(address, value, expiresAt);
  const result = ban
    ? await sealBan(ctx, { ban })
    : { isDone: false, refused: "it is not as a node writes it" };
  if (result.refused !== undefined) await deleteAnnounced(ctx.redis, keys.ban(address));
  return result;
}

export type BanSealer = Pick<ListContext, "redis" | "seal" | "protectedRanges">;

/** A ban without a record: its field among the pending bans and the text there, if it has one. */
export interface WaitingBan {
  readonly ban: PendingBan;
  readonly pending?: { readonly field: string; readonly text: string };
}

interface BanDecision extends ChangeDecision {
  /** Why the ban is not sealed. */
  readonly refused?: string;
  readonly isDone: boolean;
}

const place = { entry: 0, ban: 1, pending: 2 } as const;

/**
 * Puts a ban on record and makes it an entry of the blocklist, in one step, so that it is recorded once however many
 * consoles try. Returns why it cannot be one that a node made, in words; such a ban is neither recorded nor enforced.
 */
async function sealBan(ctx: BanSealer, waiting: WaitingBan): Promise<{ isDone: boolean; refused?: string }> {
  const { ban, pending } = waiting;
  const { address: target } = ban;
  const claim = { rule: ban.rule, ms: lifeOf(ban) - clockToleranceMs, target: blockOf(target) };
  const isOfRule = await canBan(ctx.redis, claim);
  const aside = { isAside: true, target };
  const slots: Slot[] = [
    { key: keys.entry("blocklist", target), ...aside },
    { key: keys.ban(target), ...aside },
    ...(pending ? [{ key: keys.pendingBans(), field: pending.field, ...aside }] : []),
  ];
  const covers = coverings(blockOf(target)).map((cover) => keys.entry("safelist", cover));
  const signed = { redis: ctx.redis, seal: ctx.seal, actor: banner(ban.rule) };
  const { decision } = await commit<BanDecision>(signed, {
    ...{ action: "blocklist.ban", reason: ban.reason, slots },
    ...{ strings: covers, hashes: [keys.neverBlock()] },
    decide(seen) {
      const isThere = pending ? at(seen.slots, place.pending).value === pending.text : isStanding(seen);
      if (!isThere) return { writes: [], isDone: false };
      const refused =
        banProblem(ban, seen.now) ?? ruleProblem(ban, isOfRule) ?? lockoutProblem(ctx, ban, seen);
      if (refused) return { writes: [], isDone: false, refused };
      return { ...sealing(waiting, seen), isDone: true };
    },
  });
  const { isDone, refused } = decision;
  return { isDone, ...(refused !== undefined && { refused }) };
}

/** A node's account may write any text here, and a ban extends entries that users made. */
function ruleProblem({ rule }: PendingBan, isOfRule: boolean): string | undefined {
  return isOfRule ? undefined : `the policy has no rule ${rule} that bans so long or so wide`;
}

function isStanding({ slots }: Snapshot): boolean {
  return at(slots, place.ban).kind === "string";
}

function lockoutProblem(ctx: BanSealer, { address }: PendingBan, seen: Snapshot): string | undefined {
  const { ranges } = readRanges(at(seen.hashes, 0));
  const around = { protector: protector([...ctx.protectedRanges, ...ranges]), isConfirmed: false };
  const refused = refusal("blocklist", address, around);
  if (refused) return refused.message.replace(/\.$/, "");
  return seen.strings.size > 0 ? `${address} is safelisted` : undefined;
}

function sealing({ ban, pending }: WaitingBan, seen: Snapshot): ChangeDecision & { made: EarlierChange } {
  const entry = at(seen.slots, place.entry);
  const to = { value: noteOfPerson(entry) ?? entryValue(ban, tagsHeldBy(entry)), expiresAt: ban.expiresAt };
  // Earlier nodes wrote the entry themselves and gave the change its number.
  const number = pending && /^[1-9]\d{0,15}$/.test(pending.field) ? Number(pending.field) : undefined;
  const given = number !== undefined && number <= seen.change ? number : undefined;
  const isWritten = given === undefined && ban.expiresAt > seen.now && isShorter(entry, ban);
  const after = { value: to.value, expiresAt: new Date(ban.expiresAt).toISOString() };
  const before = isWritten ? standingOf(entry) : null;
  return {
    made: {
      at: ban.at,
      ...(given !== undefined && { change: given }),
      changes: [{ target: ban.address, before, after }],
    },
    writes: [
      ...(isWritten ? [{ slot: place.entry, to }] : []),
      ...(isStanding(seen) ? [{ slot: place.ban, to: null }] : []),
      ...(pending ? [{ slot: place.pending, to: null }] : []),
    ],
  };
}

/** An entry that a person made stays, unless it expires before the ban. A key of another type is left alone. */
function isShorter({ kind, expiresAt }: Holding, ban: PendingBan): boolean {
  return kind === "none" || (kind === "string" && isLater(ban.expiresAt, expiresAt));
}

/** The note of an entry that no rule made. A longer ban keeps it. */
function noteOfPerson({ kind, value }: Holding): string | undefined {
  if (kind !== "string") return undefined;
  return readUsualNote(value)?.by.startsWith("auto:") ? undefined : value;
}

/** Tags that a person gave the entry of an earlier ban. */
function tagsHeldBy({ kind, value }: Holding): readonly string[] {
  return kind === "string" ? tagsOf(value) : [];
}

function standingOf({ kind, value, expiresAt }: Holding): StoredValue | null {
  if (kind === "none") return null;
  return { value, expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString() };
}
