import { isDeepStrictEqual } from "node:util";
import { at } from "../../at.ts";
import { isPattern } from "../../enforce/customers/id.ts";
import { type Level, requireLevels } from "../../enforce/policy/levels.ts";
import { readPolicy, sharedOverridesFormat } from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { checkReason } from "../audit/checks.ts";
import { commit } from "../audit/commit.ts";
import { requireUnderstood } from "../audit/old-nodes.ts";
import type { Signed } from "../audit/record.ts";
import { areSameMembers, changeMembers, type MembersChange, membersOf, type NewMembers } from "./members.ts";
import {
  keptMs,
  mostGroups,
  mostPatterns,
  readShared,
  requireName,
  type SharedOverrideDefinition,
  slotOfShared,
  writeShared,
} from "./shared-override.ts";

export interface SharedOverrideInput {
  /** A pattern, which has a star, or the name of a group. */
  readonly name: string;
  /** Undefined keeps the levels or the tier. */
  readonly levels?: readonly Level[] | undefined;
  /** In place of levels. */
  readonly tier?: string | undefined;
  /** Null never expires. Undefined keeps the end; a new override never expires then. */
  readonly expiresInMs?: number | null | undefined;
  /** Of a group. Undefined keeps its customers. */
  readonly members?: MembersChange | undefined;
  readonly reason: string;
  /** Saves even if nodes of an older version run. These ignore the override. */
  readonly isOldIgnored?: boolean | undefined;
}

export interface SavedShared {
  /** The number that nodes acknowledge; null when nothing had to be written. */
  readonly change: number | null;
  readonly override: SharedOverrideDefinition;
  readonly outcome: "added" | "changed" | "kept";
}

const shortestMs = 1_000;
const longestMs = 3_653 * 86_400_000;
const mostAttempts = 5;

/** Gives limits to a group of customers, or to all whose ids match a pattern, or changes them. */
export async function saveSharedOverride(ctx: Signed, input: SharedOverrideInput): Promise<SavedShared> {
  checkReason(input.reason);
  const name = requireName(input.name);
  const levels = input.levels && requireLevels(input.levels);
  if (levels && input.tier !== undefined) throw refused("tier", "write levels or a tier, not both");
  if (input.members && isPattern(name)) throw refused("members", "a pattern has no list of customers");
  checkLife(input.expiresInMs ?? null);
  if (input.tier !== undefined) await requireTier(ctx.redis, input.tier);
  if (!input.isOldIgnored)
    await requireUnderstood(ctx.redis, {
      format: sharedOverridesFormat,
      what: "overrides of groups and patterns, and ignores them",
      effect: "The override was not saved. Upgrade every node first.",
      command: "sluice override set",
    });
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const saved = await trySave(ctx, { ...input, name, levels });
    if (saved) return saved;
  }
  throw new DomainError(
    "changed-since",
    `The override of ${name} keeps changing. Nothing was written. Try again.`,
  );
}

/** The customers of a group are read before it is written: undefined where it was changed between them. */
async function trySave(ctx: Signed, input: SharedOverrideInput): Promise<SavedShared | undefined> {
  const { redis } = ctx;
  const { name } = input;
  const all = await readShared(redis);
  const before = all.find((one) => one.name === name);
  if (!before) requireRoom(all, name);
  const changed = isPattern(name) ? undefined : await newMembers(redis, before, input.members);
  const members = changed?.facts ?? before?.members;
  if (changed && !ctx.isDryRun) await redis.set(keys.groupMembers(name, changed.facts.digest), changed.text);
  let isWritten = false;
  try {
    const { change, decision } = await commit(ctx, {
      ...{ action: "override.set", reason: input.reason, slots: [slotOfShared(name)] },
      decide({ now, slots }) {
        const found = at(slots, 0);
        const foundText = found.kind === "string" ? found.value : undefined;
        if (foundText !== (before && writeShared(before))) return { override: undefined, writes: [] };
        const terms = termsOf(input, before, members, now);
        if (before && isSameAs(before, terms)) return { override: before, writes: [] };
        const { name: by, via } = ctx.actor;
        const written = { reason: input.reason, by, via, at: new Date(now).toISOString() };
        const override: SharedOverrideDefinition = { name, ...terms, ...written };
        return { override, writes: [{ slot: 0, to: { value: writeShared(override), expiresAt: null } }] };
      },
    });
    if (!decision.override) return undefined;
    isWritten = decision.writes.length > 0 && !ctx.isDryRun;
    const outcome = decision.writes.length === 0 ? "kept" : before ? "changed" : "added";
    return { change, override: decision.override, outcome };
  } finally {
    if (changed && !ctx.isDryRun) {
      const unused = isWritten ? before?.members?.digest : changed.facts.digest;
      if (unused !== undefined) await redis.pexpire(keys.groupMembers(name, unused), keptMs);
    }
  }
}

type SharedTerms = Pick<SharedOverrideDefinition, "levels" | "tier" | "expiresAt" | "members">;

function termsOf(
  { levels, tier, expiresInMs }: SharedOverrideInput,
  before: SharedOverrideDefinition | undefined,
  members: SharedOverrideDefinition["members"],
  now: number,
): SharedTerms {
  const expiresAt =
    expiresInMs === undefined ? (before?.expiresAt ?? null) : expiresInMs === null ? null : now + expiresInMs;
  const given = levels ? { levels: [...levels] } : tier === undefined ? undefined : { tier };
  const kept = before?.levels ? { levels: before.levels } : before && { tier: before.tier };
  const limits = given ?? kept;
  if (!limits) throw refused("levels", "write its limits, or a tier");
  return { ...limits, expiresAt, ...(members && { members }) };
}

function isSameAs({ levels, tier, expiresAt, members }: SharedTerms, terms: SharedTerms): boolean {
  return (
    isDeepStrictEqual(levels, terms.levels) &&
    tier === terms.tier &&
    expiresAt === terms.expiresAt &&
    members?.digest === terms.members?.digest
  );
}

/** Undefined where the customers stay, also where they cannot be read. */
async function newMembers(
  redis: Connection,
  before: SharedOverrideDefinition | undefined,
  change: MembersChange | undefined,
): Promise<NewMembers | undefined> {
  if (!change && before?.members) return undefined;
  const changed = changeMembers(before ? await membersOf(redis, before) : [], change ?? {});
  return areSameMembers(changed.facts.digest, before?.members?.digest) ? undefined : changed;
}

function requireRoom(all: readonly SharedOverrideDefinition[], name: string): void {
  const isSameKind = (one: SharedOverrideDefinition) => isPattern(one.name) === isPattern(name);
  const most = isPattern(name) ? mostPatterns : mostGroups;
  if (all.filter(isSameKind).length < most) return;
  const what = isPattern(name) ? "patterns" : "groups";
  throw refused("name", `there are ${most} ${what} already, which is the most: remove one first`);
}

async function requireTier(redis: Connection, tier: string): Promise<void> {
  const { tiers } = (await readPolicy(redis)).policy;
  if (Object.hasOwn(tiers, tier)) return;
  const known = Object.keys(tiers).join(", ");
  throw refused("tier", `the policy has no tier ${JSON.stringify(tier.slice(0, 40))}. It has: ${known}`);
}

function checkLife(leftMs: number | null): void {
  if (leftMs === null || (Number.isInteger(leftMs) && leftMs >= shortestMs && leftMs <= longestMs)) return;
  throw refused("expiresInMs", "write how long it lasts: 1 s to 10 years, or never expires");
}

function refused(field: string, problem: string): DomainError {
  return new DomainError("bad-input", `The override was not saved: ${problem}.`, { [field]: problem });
}
