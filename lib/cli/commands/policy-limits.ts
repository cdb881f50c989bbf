import { counted } from "../../enforce/policy/bounds.ts";
import { publishedLevels } from "../../enforce/policy/code-limits.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { sayLevels } from "../../enforce/policy/words.ts";
import { type LimitStanding, readLimits } from "../../observe/policy/code-limits.ts";
import { readRuleCounts, Series } from "../../observe/stats/series.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import type { Command } from "../command.ts";
import { columns, printable } from "../terminal.ts";

export const policyLimits: Command = {
  name: "policy limits",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show the limits that the code of apps names, and what is published for them",
  about: [
    "An app names a limit with guard.limit. What policy limit-set publishes wins over the code. Counts are of the last hour.",
    "A limit that no node has reported for a week is gone.",
  ],
  options: [],
  examples: ["sluice policy limits", "sluice policy limits --json"],
  async run({ reading }) {
    const { redis } = await reading();
    const nowMs = await redisNow(redis);
    const [limits, { policy }] = await Promise.all([readLimits(redis, nowMs), readPolicy(redis)]);
    const counts = await readRuleCounts(new Series(redis), { policy, minutes: 60, nowMs });
    const countsOf = ({ code }: LimitStanding) => {
      const {
        checked = 0,
        denied = 0,
        shadowed = 0,
      } = counts.find(({ rule }) => rule === code?.rule.name) ?? {};
      return { checked, denied, shadowed };
    };
    const rows = limits.map((limit) => {
      const { checked, denied, shadowed } = countsOf(limit);
      return [...row(limit), ...[checked, denied, shadowed].map(counted)];
    });
    const head = ["LIMIT", "BY", "IN CODE", "PUBLISHED", "MODE", "CHECKED", "DENIED", "IN SHADOW"];
    return {
      lines: limits.length > 0 ? columns([head, ...rows]) : ["No app names a limit in its code."],
      complaints: limits.flatMap(({ field, problem }) =>
        problem === undefined ? [] : [`${printable(field)}: what is published is not in force: ${problem}.`],
      ),
      json: { limits: limits.map((limit) => ({ ...limitToJson(limit), ...countsOf(limit) })) },
    };
  },
};

function row({ field, code, published, inForce }: LimitStanding): string[] {
  const levels = published && publishedLevels(published);
  return [
    printable(field),
    code?.by ?? "-",
    code ? sayLevels(code.rule.levels) : "not reported for a week",
    levels ? sayLevels(levels) : "-",
    `${inForce?.rule.mode ?? published?.mode ?? "-"}${published?.mode === undefined ? "" : " (published)"}`,
  ];
}

export function limitToJson({ field, code, published, inForce, problem, isDifferent }: LimitStanding) {
  return {
    limit: field,
    code: code && {
      by: code.by,
      algorithm: code.rule.algorithm,
      levels: code.rule.levels,
      mode: code.rule.mode,
    },
    published: published ?? null,
    inForce: inForce && { levels: inForce.rule.levels, mode: inForce.rule.mode },
    isDifferent,
    ...(problem !== undefined && { problem }),
  };
}
