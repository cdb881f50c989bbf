import { type Customer, readCustomer } from "../customers/read.ts";
import { readUsage, type Usage } from "../customers/usage.ts";
import type { Environment } from "../env.ts";
import { createScales } from "../limits/scales.ts";
import { counted as grouped } from "../policy/bounds.ts";
import { sayMode } from "../policy/mode-words.ts";
import { readPolicy } from "../policy/versions.ts";
import { sayLevels } from "../policy/words.ts";
import type { CustomerId } from "../redis/keys.ts";
import { columns } from "./columns.ts";
import type { Command } from "./command.ts";
import { withCounters } from "./counters.ts";
import { customerToJson, sayInForce, sayNote } from "./customer.ts";
import { type Failure, failureOf } from "./failure.ts";
import { left, until } from "./moment.ts";
import { readCustomerId } from "./operands.ts";
import type { Session } from "./session.ts";

export const customerShow: Command = {
  name: "customer show",
  takes: "<id>",
  operands: { least: 1, most: 1 },
  summary: "Show a customer's tier and levels, and how much of them is used now",
  about: [
    "Nothing is written and nothing is counted. What counts a customer together with something else (an address, a",
    "path) is not shown. Without an answer from the counters the rest is shown, and the exit code is 3.",
  ],
  options: [],
  examples: ["sluice customer show acme", "sluice customer show acme --json | jq .usage"],
  async run({ operands: [name], io, reading }) {
    const id = readCustomerId(name);
    const session = await reading();
    const [customer, { policy }] = await Promise.all([
      readCustomer(session.redis, id),
      readPolicy(session.redis),
    ]);
    const found = await askUsage(session, io.environment, id);
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

/** What the counters tell, or why they do not: the rest is worth showing without them. */
async function askUsage(
  session: Session,
  environment: Environment,
  id: CustomerId,
): Promise<{ usage?: Usage[]; failure?: Failure; exit?: ReturnType<typeof failureOf>["exit"] }> {
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
    ...flags.map((flag) => `NOT OBEYED: ${flag}.`),
  ];
}

function table(usage: readonly Usage[], now: number): string[] {
  if (usage.length === 0) return [];
  const rows = usage.map((one) => [one.rule, sayLimit(one), sayUsed(one), sayReset(one, now), sayState(one)]);
  return ["", ...columns([["RULE", "LIMIT", "USED", "GIVES BACK IN", "STATE"], ...rows])];
}

function sayLimit({ algorithm, limit, periodSeconds, overageWeight }: Usage): string {
  if (algorithm !== "earrrl") return sayLevels([{ limit, periodSeconds }]);
  return sayLevels([{ limitPerSecond: limit, halfLifeSeconds: periodSeconds, overageWeight }]);
}

function sayUsed({ algorithm, used }: Usage): string {
  const number = grouped(Math.round(used * 100) / 100);
  return algorithm === "earrrl" ? `${number}/s` : number;
}

function sayState({ isOver, isShadowed }: Usage): string {
  if (!isOver) return "passes";
  return isShadowed ? "would be throttled, but the rule is shadowed" : "throttled";
}

function sayReset({ used, resetMs }: Usage, now: number): string {
  return used > 0 ? left(now + resetMs, now) : "-";
}
