import { at } from "../../at.ts";
import { counted as grouped } from "../../enforce/policy/bounds.ts";
import { sayLevels } from "../../enforce/policy/words.ts";
import type { Customer } from "../../manage/customers/read.ts";
import { sayMode } from "../../observe/policy/mode.ts";
import type { CustomerId } from "../../redis/keys.ts";
import type { ReadAccess, UsageRow } from "../access/access.ts";
import type { Command } from "../command.ts";
import { customerToJson, sayInForce, sayNote, saySuspension, sayTierEnd } from "../customer.ts";
import { type CommandFailure, failureOf } from "../failure.ts";
import { left, until } from "../moment.ts";
import { readCustomerId } from "../operands.ts";
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
  async run({ operands, readAccess }) {
    const id = readCustomerId(at(operands, 0));
    const access = await readAccess();
    const [customer, { policy }] = await Promise.all([access.readCustomer(id), access.readPolicy()]);
    const found = await tryReadUsage(access, id);
    const { usage = [], failure, exit } = found;
    const mode = policy.mode === "enforce" ? [] : [sayMode(policy.mode)];
    return {
      lines: [...say(customer, access.now()), ...mode, ...table(usage, access.now())],
      complaints: failure ? failure.message.split("\n") : [],
      json: {
        ...customerToJson(customer),
        mode: policy.mode,
        usage: found.usage?.map(({ json }) => json) ?? null,
        ...(failure && { error: failure }),
      },
      ...(exit && { exit }),
    };
  },
};

/** Usage from the counters, or the error: the rest is shown without them. */
async function tryReadUsage(
  { readUsage }: ReadAccess,
  id: CustomerId,
): Promise<{ usage?: UsageRow[]; failure?: CommandFailure; exit?: ReturnType<typeof failureOf>["exit"] }> {
  try {
    return { usage: await readUsage(id) };
  } catch (error) {
    return failureOf(error);
  }
}

function say(customer: Customer, now: number): string[] {
  const { id, tier, override, flags } = customer;
  const own =
    override && `${sayLevels(override.levels)}, ${until(override.expiresAt, now)}, ${sayNote(override)}`;
  return [
    `Customer ${id}`,
    ...columns(
      [
        ["tier", tier ? `${tier.name}${sayTierEnd(customer, now)}` : "none"],
        ["own levels", own ?? "none"],
      ],
      "  ",
    ),
    sayInForce(customer, now),
    ...saySuspension(customer, now),
    ...flags.map((flag) => `NOT ENFORCED: ${flag}.`),
  ];
}

function table(usage: readonly UsageRow[], now: number): string[] {
  if (usage.length === 0) return [];
  const rows = usage.map((one) => [one.rule, one.says, sayUsed(one), sayReset(one, now), sayState(one)]);
  return ["", ...columns([["RULE", "LIMIT", "USED", "RESETS IN", "STATE"], ...rows])];
}

function sayUsed({ isRate, used }: UsageRow): string {
  const number = grouped(Math.round(used * 100) / 100);
  return isRate ? `${number}/s` : number;
}

function sayState({ isOver, isShadowed }: UsageRow): string {
  if (!isOver) return "passes";
  return isShadowed ? "would be throttled, but the rule is in shadow" : "throttled";
}

function sayReset({ used, resetMs }: UsageRow, now: number): string {
  return used > 0 ? left(now + resetMs, now) : "-";
}
