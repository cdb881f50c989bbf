import { at } from "../../at.ts";
import { isRate } from "../../enforce/algorithms/algorithms.ts";
import { createScales } from "../../enforce/limits/scales.ts";
import { counted as grouped } from "../../enforce/policy/bounds.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { levelOf, sayLevels } from "../../enforce/policy/words.ts";
import type { Environment } from "../../env.ts";
import { type Customer, readCustomer } from "../../manage/customers/read.ts";
import { readUsage, type Usage } from "../../observe/customers/usage.ts";
import { sayMode } from "../../observe/policy/mode.ts";
import type { CustomerId } from "../../redis/keys.ts";
import type { Command } from "../command.ts";
import { customerToJson, sayInForce, sayNote, saySuspension } from "../customer.ts";
import { type CommandFailure, failureOf } from "../failure.ts";
import { left, until } from "../moment.ts";
import { readCustomerId } from "../operands.ts";
import { type CommandSession, withCounters } from "../session.ts";
import { columns } from "../terminal.ts";

export const customerShow: Command = {
  name: "customer show",
  takes: "<id>",
  operands: { least: 1, most: 1 },
  summary: "Show a customer's tier, levels and suspension, and its current usage",
  about: [
    "Writes nothing and counts nothing. Counters of the customer together with something else (an address, a path)",
    "are not shown. If the counters do not answer, everything else is shown and the exit code is 3.",
  ],
  options: [],
  examples: ["sluice customer show acme", "sluice customer show acme --json | jq .usage"],
  async run({ operands, io, reading }) {
    const id = readCustomerId(at(operands, 0));
    const session = await reading();
    const [customer, { policy }] = await Promise.all([
      readCustomer(session.redis, id),
      readPolicy(session.redis),
    ]);
    const found = await tryReadUsage(session, io.environment, id);
    const { usage = [], failure, exit } = found;
    const mode = policy.mode === "enforce" ? [] : [sayMode(policy.mode)];
    return {
      lines: [...say(customer, session.now()), ...mode, ...table(usage, session.now())],
      complaints: failure ? failure.message.split("\n") : [],
      json: {
        ...customerToJson(customer),
        mode: policy.mode,
        usage: found.usage ?? null,
        ...(failure && { error: failure }),
      },
      ...(exit && { exit }),
    };
  },
};

const answerWithinMs = 2_000;

/** Usage from the counters, or the error: the rest is shown without them. */
async function tryReadUsage(
  session: CommandSession,
  environment: Environment,
  id: CustomerId,
): Promise<{ usage?: Usage[]; failure?: CommandFailure; exit?: ReturnType<typeof failureOf>["exit"] }> {
  try {
    const usage = await withCounters(session, environment, (counters) =>
      readUsage(session.redis, createScales(counters, { withinMs: answerWithinMs }), id),
    );
    return { usage };
  } catch (error) {
    return failureOf(error);
  }
}

function say(customer: Customer, now: number): string[] {
  const { id, tier, override, flags } = customer;
  const end = tier && tier.expiresAt !== null ? `, ${until(tier.expiresAt, now)}` : "";
  const own =
    override && `${sayLevels(override.levels)}, ${until(override.expiresAt, now)}, ${sayNote(override)}`;
  return [
    `Customer ${id}`,
    ...columns(
      [
        ["tier", tier ? `${tier.name}${end}` : "none"],
        ["own levels", own ?? "none"],
      ],
      "  ",
    ),
    sayInForce(customer, now),
    ...saySuspension(customer, now),
    ...flags.map((flag) => `NOT ENFORCED: ${flag}.`),
  ];
}

function table(usage: readonly Usage[], now: number): string[] {
  if (usage.length === 0) return [];
  const rows = usage.map((one) => [one.rule, sayLimit(one), sayUsed(one), sayReset(one, now), sayState(one)]);
  return ["", ...columns([["RULE", "LIMIT", "USED", "RESETS IN", "STATE"], ...rows])];
}

function sayLimit(usage: Usage): string {
  const { algorithm, limit, periodSeconds, overageWeight } = usage;
  if (!isRate(algorithm)) return sayLevels([levelOf(usage)]);
  return sayLevels([{ limitPerSecond: limit, halfLifeSeconds: periodSeconds, overageWeight }]);
}

function sayUsed({ algorithm, used }: Usage): string {
  const number = grouped(Math.round(used * 100) / 100);
  return isRate(algorithm) ? `${number}/s` : number;
}

function sayState({ isOver, isShadowed }: Usage): string {
  if (!isOver) return "passes";
  return isShadowed ? "would be throttled, but the rule is in shadow" : "throttled";
}

function sayReset({ used, resetMs }: Usage, now: number): string {
  return used > 0 ? left(now + resetMs, now) : "-";
}
