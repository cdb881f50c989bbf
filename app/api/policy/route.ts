import { z } from "zod";
import { diffPolicies } from "../../../lib/policy/diff.ts";
import { freshInstall } from "../../../lib/policy/stored.ts";
import { isGood, listVersions, readPolicy } from "../../../lib/policy/versions.ts";
import type { PolicyReply, PolicyVersion } from "../../../lib/queries/policy.ts";
import { theConsole } from "../../_server/console.ts";
import { read } from "../../_server/read.ts";
import { redisNowMs, shared, theStatistics } from "../../_server/statistics.ts";

const freshMs = 2_000;
const minutes = 60;

export const GET = read("read", z.object({}), async (): Promise<PolicyReply> => {
  const { redis } = theConsole();
  const [{ policy, ...inForce }, versions, lastHour] = await Promise.all([
    readPolicy(redis),
    listVersions(redis),
    shared("rules of the last hour", freshMs, readLastHour),
  ]);
  return { ...inForce, policy: { ...policy }, versions: told(versions), lastHour };
});

/** Newest first; the last one is what a fresh install begins with. */
function told(versions: Awaited<ReturnType<typeof listVersions>>): PolicyVersion[] {
  const all = [...versions, freshInstall];
  return all.map((one, i) => {
    if (!isGood(one)) return { version: one.version, reason: "", changes: [], problem: one.problem };
    const { policy, ...rest } = one;
    const before = all.slice(i + 1).find(isGood);
    return { ...rest, changes: before ? diffPolicies(before.policy, policy) : [] };
  });
}

async function readLastHour(): Promise<PolicyReply["lastHour"]> {
  const buckets = await theStatistics().series.read(60, minutes, await redisNowMs());
  const rules = new Map<string, { denied: number; shadowed: number }>();
  for (const { apps } of buckets)
    for (const counts of apps.values())
      for (const [field, count] of counts) {
        const [, kind, rule] = /^(denied|shadow) (.+)$/s.exec(field) ?? [];
        if (rule === undefined) continue;
        const sum = rules.get(rule) ?? { denied: 0, shadowed: 0 };
        rules.set(rule, sum);
        if (kind === "denied") sum.denied += count;
        else sum.shadowed += count;
      }
  return [...rules].map(([rule, sum]) => ({ rule, ...sum }));
}
