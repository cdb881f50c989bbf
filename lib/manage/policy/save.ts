import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { at } from "../../at.ts";
import type { Policy } from "../../enforce/policy/schema.ts";
import { writePolicy } from "../../enforce/policy/stored.ts";
import { nothingTimed, type Timed } from "../../enforce/policy/timed.ts";
import {
  digestFormat,
  enforcedFrom,
  formatOf,
  hidesValues,
  nodesBefore,
  type PolicyBasis,
  type PolicyInForce,
  readBasis,
  versionsKept,
} from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import type { Snapshot } from "../../redis/snapshot.ts";
import { checkReason, requireLater, requireType } from "../audit/checks.ts";
import { commit, type SlotWrite } from "../audit/commit.ts";
import { requireUnderstood } from "../audit/old-nodes.ts";
import type { Signed } from "../audit/record.ts";
import { requireGoodEnds, timedAfter } from "./ends.ts";

export interface SavedPolicy {
  /** The number that nodes acknowledge; null when nothing had to be written. */
  readonly change: number | null;
  /** The version in force now. */
  readonly version: number;
}

interface PolicyChange {
  readonly action: string;
  readonly reason: string;
  /** Saves even if nodes of an older version run. These leave out the rules that they do not know, or keep the policy that they have. */
  readonly isOldIgnored?: boolean | undefined;
  /** When what it changes goes back to what it was, by Redis' clock. */
  readonly untilMs?: number | undefined;
  /** The new policy. Called again when another writer was faster. */
  make(inForce: PolicyInForce): Policy;
  /** What ends at a time from now on, where that itself is the change. */
  time?(standing: Timed): Timed;
}

const patience = 20;

/** Saves a policy as the next version, with its audit record, if what it was made from is still in force. */
export async function savePolicy(ctx: Signed, saving: PolicyChange): Promise<SavedPolicy> {
  checkReason(saving.reason);
  if (saving.untilMs !== undefined) requireLater(saving.untilMs, await redisNow(ctx.redis));
  for (let attempt = 0; attempt < patience; attempt++) {
    const saved = await trySave(ctx, saving, await readBasis(ctx.redis));
    if (saved) return saved;
  }
  throw new DomainError(
    "changed-since",
    "Another program keeps changing the policy. Nothing was written. Try again.",
  );
}

/** Undefined when the policy has changed since the basis was read. */
async function trySave(
  ctx: Signed,
  { action, reason, isOldIgnored = false, untilMs, make, time }: PolicyChange,
  basis: PolicyBasis,
): Promise<SavedPolicy | undefined> {
  const { inForce } = basis;
  const policy = make(inForce);
  const standing = inForce.timed ?? nothingTimed;
  const ending = untilMs === undefined ? undefined : { atMs: untilMs, by: ctx.actor.name, reason };
  const timed = time ? time(standing) : timedAfter(standing, inForce.policy, policy, ending);
  requireGoodEnds(policy, timed);
  // In an emergency the mode alone changes, or nothing of the policy: no check delays it, and no counter starts again.
  const isModeAlone = action === "policy.mode" || time !== undefined;
  if (!isModeAlone && !isOldIgnored) await requireKnown(ctx.redis, policy);
  const digestKey = isModeAlone ? undefined : await newDigestKey(ctx.redis, policy, isOldIgnored);
  const isHiding = digestKey !== undefined && policy.rules.some(({ client }) => hidesValues(client));
  const isEqual = isDeepStrictEqual(policy, inForce.policy) && isDeepStrictEqual(timed, standing);
  if (!inForce.problem && !inForce.hasEnded && !isHiding && isEqual)
    return { change: null, version: inForce.version };
  const version = basis.newest + 1;
  const versions = { key: keys.policyVersions(), isAside: true };
  const { change, decision } = await commit(ctx, {
    action,
    reason,
    slots: [
      { key: keys.policy(), target: "policy" },
      { ...versions, field: String(version), target: `policy version ${version}` },
      {
        ...versions,
        field: String(version - versionsKept),
        target: `policy version ${version - versionsKept}`,
      },
      { key: keys.digestKey(), target: "digest key", isAside: true },
    ],
    decide({ now, slots }) {
      if (!isSame(basis, slots)) return { writes: [] };
      const savedAt = new Date(now).toISOString();
      const to = {
        value: writePolicy({ version, at: savedAt, by: ctx.actor.name, reason, policy, timed }),
        expiresAt: null,
      };
      const oldest: SlotWrite[] = at(slots, 2).kind === "string" ? [{ slot: 2, to: null }] : [];
      const isKeyed = at(slots, 3).kind !== "none" || digestKey === undefined;
      const keyed: SlotWrite[] = isKeyed ? [] : [{ slot: 3, to: { value: digestKey, expiresAt: null } }];
      return { writes: [{ slot: 0, to }, { slot: 1, to }, ...oldest, ...keyed] };
    },
  });
  return decision.writes.length > 0 ? { change, version } : undefined;
}

/** What a format added, in words. */
const newIn: Readonly<Record<number, string>> = {
  2: "match.anyExtension, match.serverAction and client.show",
  3: "countWhen and concurrent, and leaves such rules out",
  5: "a limit of 0",
  6: "counting by network",
  8: "rules that deny or exempt requests, and leaves them out",
};

/** An older node rejects unknown members, and keeps the policy it has. */
async function requireKnown(redis: Connection, policy: Policy): Promise<void> {
  const format = formatOf(policy);
  await requireUnderstood(redis, {
    format,
    what: newIn[format] ?? "what it says",
    effect: "The policy was not saved. Upgrade every node first, or leave these out.",
    command: "sluice policy set",
  });
}

/**
 * What values of headers and cookies shall be digested with from now on. Undefined when there is a key, and as long as a
 * node is live that would count the same values as they are: a client has one counter in the whole fleet. Nodes that keep the
 * policy that they have are ignored on request.
 */
async function newDigestKey(
  redis: Connection,
  policy: Policy,
  isOldIgnored: boolean,
): Promise<string | undefined> {
  if ((await redis.exists(keys.digestKey())) === 1) return undefined;
  const areIgnored = isOldIgnored && enforcedFrom(policy) >= digestFormat;
  const older = areIgnored ? [] : await nodesBefore(redis, digestFormat);
  return older.length === 0 ? randomBytes(32).toString("hex") : undefined;
}

function isSame({ digest }: PolicyBasis, slots: Snapshot["slots"]): boolean {
  const [current, next] = [at(slots, 0), at(slots, 1)];
  requireType(keys.policy(), current, "string", "a policy");
  return current.digest === digest && next.kind !== "string";
}
