import { at } from "../../at.ts";
import { type Mode, modes } from "../../enforce/policy/schema.ts";
import { sayLevels } from "../../enforce/policy/words.ts";
import { DomainError } from "../../errors.ts";
import { setLimit } from "../../manage/policy/set-limit.ts";
import { readLimits } from "../../observe/policy/code-limits.ts";
import { sayApplied } from "../applied.ts";
import { type Command, UsageError } from "../command.ts";
import { readLevels, readReason } from "../operands.ts";
import type { GivenOptions } from "../options.ts";
import { printable } from "../terminal.ts";
import { limitToJson } from "./policy-limits.ts";

export const policyLimitSet: Command = {
  name: "policy limit-set",
  takes: "<app>/<name> <limit/period…>",
  operands: { least: 1, most: Number.POSITIVE_INFINITY },
  summary: "Publish levels or a mode for a limit that the code of an app names, or remove them",
  about: [
    "What is published wins over the code, on all nodes. Levels are written as in customer limit: 100/60s, 1000/1h.",
    "What is not given stays as it is published. --clear removes levels and mode: the code decides again.",
  ],
  options: ["mode", "clear", "reason"],
  examples: [
    "sluice policy limit-set shop/export 5/60s",
    'sluice policy limit-set shop/export --mode shadow --reason "too strict"',
    "sluice policy limit-set shop/export --clear",
  ],
  async run({ operands, options, writing }) {
    const [limit, texts] = [at(operands, 0), operands.slice(1)];
    const mode = readMode(options);
    const reason = readReason(options);
    checkUsage(texts, options);
    const isClearing = options.has("clear");
    const levels = texts.length > 0 ? readLevels(texts) : undefined;
    const { context, redis, awaitApplied, now } = await writing();
    const { change } = await setLimit(context, {
      ...{ limit, reason },
      ...(isClearing ? { levels: null, mode: null } : { levels, mode }),
    });
    const applied = await awaitApplied(change);
    const standing = (await readLimits(redis, now())).find(({ field }) => field === limit);
    const rule = standing?.inForce?.rule;
    const is = rule
      ? `${printable(limit)}: ${sayLevels(rule.levels)}, mode ${rule.mode}.`
      : `${printable(limit)} is gone.`;
    return {
      lines: [change === null ? `${is} Nothing changed.` : is, ...sayApplied(change, applied)],
      json: { ...(standing && limitToJson(standing)), change, applied },
    };
  },
};

function readMode(options: GivenOptions): Mode | undefined {
  const text = options.text("mode");
  const mode = modes.find((one) => one === text);
  if (mode !== undefined || text === undefined) return mode;
  const problem = `write one of ${modes.join(", ")}`;
  throw new DomainError("bad-input", `--mode: ${problem}.`, { mode: problem });
}

function checkUsage(texts: readonly string[], options: GivenOptions): void {
  const isGiven = texts.length > 0 || options.has("mode");
  const { name, takes } = policyLimitSet;
  if (!isGiven && !options.has("clear"))
    throw new UsageError(
      `An argument is missing. Usage: sluice ${name} ${takes}, or --mode, or --clear`,
      name,
    );
  if (isGiven && options.has("clear"))
    throw new UsageError("--clear removes levels and mode. Give no level and no --mode with it.", name);
}
