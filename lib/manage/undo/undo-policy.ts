import { isDeepStrictEqual } from "node:util";
import { at } from "../../at.ts";
import { type Mode, modes } from "../../enforce/policy/schema.ts";
import type { AttackMode } from "../../enforce/policy/timed.ts";
import { isGood, type PolicyInForce, readPolicy, readVersion } from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import type { Connection } from "../../redis/connect.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import type { AuditRecord, Signed } from "../audit/record.ts";
import { sayMoment } from "../audit/time-words.ts";
import { rollBackTo } from "../policy/roll-back.ts";
import { savePolicy } from "../policy/save.ts";
import { nothingLeft } from "./changed-since.ts";
import { modeOf, versionOf } from "./undoable.ts";

type PolicyUndo = { readonly change: number | null };

/** Brings back the version before, unless another was saved since. */
export async function undoPolicy(ctx: Signed, record: AuditRecord, reason: string): Promise<PolicyUndo> {
  const { before, after } = at(record.changes, 0);
  const [was, left] = [versionOf(before), versionOf(after)];
  if (was === undefined || left === undefined) throw unreadable(record);
  const inForce = await readPolicy(ctx.redis);
  if (inForce.version !== left) throw savedSince(record, inForce);
  const saved = await rollBackTo(ctx, { version: was, basedOn: left, reason });
  if (saved.change === null) throw await nothingLeft(ctx.redis, record, ["policy"]);
  return saved;
}

/** Switches the mode back, whatever else of the policy has changed since. */
export async function undoMode(ctx: Signed, record: AuditRecord, reason: string): Promise<PolicyUndo> {
  const { before, after } = at(record.changes, 0);
  const [was, left] = [modeOf(before), modeOf(after)];
  if (!isMode(was) || left === undefined) throw unreadable(record);
  const saved = await savePolicy(ctx, {
    ...{ action: record.action, reason },
    make(inForce) {
      if (![was, left].includes(inForce.policy.mode)) throw switchedSince(record, inForce);
      return { ...inForce.policy, mode: was };
    },
  });
  if (saved.change === null) throw await nothingLeft(ctx.redis, record, ["policy"]);
  return saved;
}

/** Puts attack mode back as it was, whatever of the policy has changed since. What would have ended by now stays off. */
export async function undoAttack(ctx: Signed, record: AuditRecord, reason: string): Promise<PolicyUndo> {
  const { before, after } = at(record.changes, 0);
  const [was, left] = [
    await attackIn(ctx.redis, versionOf(before), record),
    await attackIn(ctx.redis, versionOf(after), record),
  ];
  const nowMs = await redisNow(ctx.redis);
  const back = was && was.untilMs > nowMs ? was : undefined;
  const saved = await savePolicy(ctx, {
    ...{ action: record.action, reason },
    make: ({ policy }) => policy,
    time({ ends, attack }) {
      if (![back, left].some((one) => isDeepStrictEqual(one, attack))) throw attackSince(record, attack);
      return { ends, ...(back && { attack: back }) };
    },
  });
  if (saved.change === null) throw await nothingLeft(ctx.redis, record, ["policy"]);
  return saved;
}

/** Attack mode as a version has it. Records cut long policies, versions do not. */
async function attackIn(
  redis: Connection,
  version: number | undefined,
  record: AuditRecord,
): Promise<AttackMode | undefined> {
  const found = version === undefined ? undefined : await readVersion(redis, version);
  if (!found || !isGood(found)) throw unreadable(record);
  return found.timed?.attack;
}

function attackSince({ n }: AuditRecord, attack: AttackMode | undefined): DomainError {
  const now = attack
    ? `${attack.by} has it on until ${sayMoment(new Date(attack.untilMs).toISOString())}`
    : "it is off";
  return new DomainError(
    "changed-since",
    `Nothing was undone, because attack mode is not as record ${n} left it: ${now}.`,
  );
}

function isMode(text: string | undefined): text is Mode {
  return modes.some((mode) => mode === text);
}

function savedSince({ n }: AuditRecord, { version, at, by }: PolicyInForce): DomainError {
  const who =
    version === 0
      ? "The policy of a fresh install is in force"
      : `${by ?? "Another writer"} saved version ${version}`;
  const message = `Nothing was undone, because the policy is not as record ${n} left it: ${who}${at ? ` at ${sayMoment(at)}` : ""}.`;
  return new DomainError(
    "changed-since",
    `${message} Roll back to an earlier version on the policy page instead.`,
  );
}

function switchedSince({ n }: AuditRecord, { policy, by, at }: PolicyInForce): DomainError {
  const who = by ? ` (${by}${at ? `, ${sayMoment(at)}` : ""})` : "";
  const message = `Nothing was undone, because the mode is not as record ${n} left it: it is ${policy.mode}${who}.`;
  return new DomainError("changed-since", message);
}

function unreadable({ n }: AuditRecord): DomainError {
  return new DomainError("bad-input", `The policy before record ${n} was not written by Sluice.`);
}
