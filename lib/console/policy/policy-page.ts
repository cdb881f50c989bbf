import { z } from "zod";
import { limitRuleName, publishedLevels } from "../../enforce/policy/code-limits.ts";
import type { Policy } from "../../enforce/policy/schema.ts";
import { freshInstall, type StoredPolicy } from "../../enforce/policy/stored.ts";
import { afterEnds, nothingTimed, type Timed } from "../../enforce/policy/timed.ts";
import {
  isGood,
  listVersions,
  readPolicy,
  readVersion,
  type SpoiledVersion,
} from "../../enforce/policy/versions.ts";
import { sayLevels } from "../../enforce/policy/words.ts";
import { DomainError } from "../../errors.ts";
import { type LimitStanding, readLimits } from "../../observe/policy/code-limits.ts";
import { diffPolicies } from "../../observe/policy/diff.ts";
import { countNodes } from "../../observe/stats/nodes.ts";
import { type RuleCounts, readRuleCounts } from "../../observe/stats/series.ts";
import type { againstReply, LimitOfCode, PolicyReply, PolicyVersion } from "../../queries/policy.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { theConsole } from "../console.ts";
import { read } from "../read.ts";
import { redisNowMs, shared, theStatistics } from "../statistics.ts";

const freshMs = 2_000;
const minutes = 60;

export const getPolicy = read("read", z.object({}), async (): Promise<PolicyReply> => {
  const { redis } = theConsole();
  const { policy, timed, ...inForce } = await readPolicy(redis);
  const versions = await shared(`policy versions ${inForce.version}`, freshMs, async () =>
    repliesOf(await listVersions(redis)),
  );
  const name = `rules of the last hour ${inForce.version}`;
  const lastHour = await shared(name, freshMs, async () =>
    readRuleCounts(theStatistics().series, { policy, minutes, nowMs: await redisNowMs() }),
  );
  const nodes = await shared("live nodes", freshMs, () => countNodes(redis));
  const limits = (await readLimits(redis, await redisNowMs())).map((limit) => replyOf(limit, lastHour));
  const ends = endsOf(policy, timed);
  return { ...inForce, policy: { ...policy }, versions, ends, lastHour, nodes, limits };
});

/** What each end changes. Attack mode has its own notice. */
export function endsOf(policy: Policy, timed: Timed = nothingTimed): PolicyReply["ends"] {
  const moments = [...new Set(timed.ends.map(({ atMs }) => atMs))].sort((one, other) => one - other);
  let before = policy;
  return moments.map((atMs) => {
    const { policy: after } = afterEnds(policy, { ends: timed.ends }, atMs);
    const changes = diffPolicies(before, after);
    before = after;
    return { atMs, changes };
  });
}

function replyOf(limit: LimitStanding, lastHour: readonly RuleCounts[]): LimitOfCode {
  const { field, app, name, code, published, inForce, isDifferent, problem } = limit;
  const levels = published && publishedLevels(published);
  const counts = lastHour.find(({ rule }) => rule === limitRuleName(app, name));
  const rule = inForce?.rule;
  return {
    ...{ field, app, name, isDifferent },
    ...(code && { code: { by: code.by, says: sayLevels(code.rule.levels), mode: code.rule.mode } }),
    ...(published && {
      published: {
        ...(levels && { says: sayLevels(levels) }),
        ...(published.mode && { mode: published.mode }),
        ...{ by: published.by, at: published.at, reason: published.reason },
      },
    }),
    ...(rule &&
      rule.levels !== "tier" && {
        inForce: {
          says: sayLevels(rule.levels),
          mode: rule.mode,
          levels: rule.levels.map((level) => ({ ...level })),
        },
      }),
    ...(problem !== undefined && { problem }),
    ...{ checked: counts?.checked ?? 0, denied: counts?.denied ?? 0, shadowed: counts?.shadowed ?? 0 },
  };
}

/** Newest first; the last one is what a fresh install begins with. */
async function repliesOf(versions: Awaited<ReturnType<typeof listVersions>>): Promise<PolicyVersion[]> {
  const all = [...versions, freshInstall];
  const breathe = breathing();
  const said: PolicyVersion[] = [];
  for (const [i, one] of all.entries()) {
    await breathe();
    said.push(tell(one, all.slice(i + 1).find(isGood)));
  }
  return said;
}

function tell(one: StoredPolicy | SpoiledVersion, before: StoredPolicy | undefined): PolicyVersion {
  if (!isGood(one)) return { version: one.version, reason: "", changes: [], problem: one.problem };
  const { policy, ...rest } = one;
  return { ...rest, changes: before ? diffPolicies(before.policy, policy) : [] };
}

/** What a version says otherwise than the one in force. */
export const getPolicyVersion = read<z.ZodObject, { version: string }>(
  "read",
  z.object({}),
  async ({ params }) => {
    const { redis } = theConsole();
    const version = /^\d{1,15}$/.test(params.version) ? Number(params.version) : -1;
    const [inForce, found] = await Promise.all([readPolicy(redis), readVersion(redis, version)]);
    if (!found) throw new DomainError("not-found", "This version is not stored.");
    if (!isGood(found)) throw new DomainError("bad-input", `This version cannot be read: ${found.problem}.`);
    const changes = diffPolicies(inForce.policy, found.policy);
    return { version, inForce: inForce.version, changes } satisfies z.output<typeof againstReply>;
  },
);
