import { isDeepStrictEqual } from "node:util";
import { commit, type Write } from "../audit/commit.ts";
import { checkReason } from "../audit/reason.ts";
import type { Signed } from "../audit/record.ts";
import type { Snapshot } from "../audit/snapshot.ts";
import { DomainError } from "../errors.ts";
import { keys } from "../redis/keys.ts";
import type { Policy } from "./schema.ts";
import { writePolicy } from "./stored.ts";
import { type Basis, type PolicyInForce, readBasis, versionsKept } from "./versions.ts";

export interface Saved {
  /** The number that nodes acknowledge; null when nothing had to be written. */
  readonly change: number | null;
  /** The version in force now. */
  readonly version: number;
}

interface Saving {
  readonly action: string;
  readonly reason: string;
  /** The new policy; asked again when somebody else was faster. */
  make(inForce: PolicyInForce): Policy;
}

const patience = 20;

/** Saves a policy as the next version, with its audit record, if what it was made from is still in force. */
export async function savePolicy(ctx: Signed, saving: Saving): Promise<Saved> {
  checkReason(saving.reason);
  for (let attempt = 0; attempt < patience; attempt++) {
    const saved = await trySave(ctx, saving, await readBasis(ctx.redis));
    if (saved) return saved;
  }
  throw new DomainError(
    "changed-meanwhile",
    "Others keep changing the policy. Nothing was written; try again.",
  );
}

/** Nothing when the basis did not hold any more. */
async function trySave(
  ctx: Signed,
  { action, reason, make }: Saving,
  basis: Basis,
): Promise<Saved | undefined> {
  const { inForce } = basis;
  const policy = make(inForce);
  if (!inForce.problem && isDeepStrictEqual(policy, inForce.policy))
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
    ],
    decide({ now, slots }) {
      if (!isSame(basis, slots)) return { writes: [] };
      const at = new Date(now).toISOString();
      const to = { value: writePolicy({ version, at, by: ctx.actor.name, reason, policy }), expiresAt: null };
      const oldest: Write[] = slots[2]?.kind === "string" ? [{ slot: 2, to: null }] : [];
      return { writes: [{ slot: 0, to }, { slot: 1, to }, ...oldest] };
    },
  });
  return decision.writes.length > 0 ? { change, version } : undefined;
}

function isSame({ digest }: Basis, [current, next]: Snapshot["slots"]): boolean {
  if (current && current.kind !== "string" && current.kind !== "none") {
    const message = `${keys.policy()} in Redis is a ${current.kind}, not a policy: remove it first.`;
    throw new DomainError("bad-input", message);
  }
  return current?.digest === digest && next?.kind !== "string";
}
