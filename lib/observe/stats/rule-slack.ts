import type { SlackReading, SlackRule } from "../../enforce/guard/explain-rules.ts";
import { counted } from "../../enforce/policy/bounds.ts";
import { saySlack } from "../../enforce/policy/words.ts";
import type { Connection } from "../../redis/connect.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { countNodes } from "./nodes.ts";
import { readRuleCounts, type Series } from "./series.ts";

interface SlackSource {
  readonly redis: Connection;
  readonly series: Pick<Series, "read">;
}

/** How far all nodes together may exceed each rule, and how much passed above its limits in the last hour. */
export async function readSlack(source: SlackSource, rules: readonly SlackRule[]): Promise<SlackReading[]> {
  if (rules.length === 0) return [];
  // The verdict that is explained does not depend on statistics: what cannot be read of them is unknown.
  const [nodes, over] = await Promise.all([
    countNodes(source.redis).catch(() => undefined),
    readOver(source, rules).catch(() => undefined),
  ]);
  return rules.map(({ rule, steps }) => {
    const { name } = rule;
    const amount = over && (over.get(name) ?? 0);
    const passed =
      amount === undefined
        ? "What passed above its limit in the last hour cannot be read."
        : `In the last hour, ${counted(amount)} passed above its limit.`;
    return {
      ...{ rule: name, over: amount },
      says: `Slack of ${name} is ${saySlack(rule, nodes, steps)}. ${passed}`,
    };
  });
}

async function readOver(
  { redis, series }: SlackSource,
  rules: readonly SlackRule[],
): Promise<ReadonlyMap<string, number>> {
  const policy = { rules: rules.map(({ rule }) => rule) };
  const counts = await readRuleCounts(series, { policy, minutes: 60, nowMs: await redisNow(redis) });
  return new Map(counts.map(({ rule, over }) => [rule, over]));
}
