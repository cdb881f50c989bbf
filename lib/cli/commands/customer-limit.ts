import { at } from "../../at.ts";
import type { CustomerId } from "../../redis/keys.ts";
import type { WriteAccess } from "../access/access.ts";
import { sayApplied } from "../applied.ts";
import { type Command, type CommandReport, UsageError } from "../command.ts";
import { customerToJson, sayInForce } from "../customer.ts";
import { orAbsent } from "../failure.ts";
import { readCustomerId, readExpires, readLevels, readReason } from "../operands.ts";
import type { GivenOptions } from "../options.ts";

export const customerLimit: Command = {
  name: "customer limit",
  takes: "<id> <limit/period…>",
  operands: { least: 1, most: Number.POSITIVE_INFINITY },
  summary: "Set a customer's own levels, which replace its tier's, or remove them",
  about: [
    "A level is a limit and its period: 100/60s, 1000/1h, 10000/1d, sums such as 5000/1d12h. Give all levels at once:",
    "they replace the customer's earlier ones. --clear removes them, and the levels of its tier are in force again.",
  ],
  options: ["expires", "clear", "reason"],
  examples: [
    "sluice customer limit acme 100/60s 1000/1h 10000/1d",
    'sluice customer limit acme 500/60s --expires 7d --reason "product launch"',
    "sluice customer limit acme --clear",
  ],
  async run({ operands, options, writeAccess }) {
    const texts = operands.slice(1);
    checkUsage(texts, options);
    const id = readCustomerId(at(operands, 0));
    const reason = readReason(options);
    if (options.has("clear")) return clear(await writeAccess(), id, reason);
    const input = { id, levels: readLevels(texts), expiresInMs: readExpires(options), reason };
    const access = await writeAccess();
    const { change } = await access.setOverride(input);
    return report(access, id, "set", change);
  },
};

function checkUsage(texts: readonly string[], options: GivenOptions): void {
  const isClearing = options.has("clear");
  if (texts.length === 0 && !isClearing) {
    const missing = `An argument is missing. Usage: sluice customer limit ${customerLimit.takes}, or --clear`;
    throw new UsageError(missing, customerLimit.name);
  }
  if (isClearing && (texts.length > 0 || options.has("expires")))
    throw new UsageError(
      "--clear removes all levels. Give no level and no --expires with it.",
      customerLimit.name,
    );
}

async function clear(access: WriteAccess, id: CustomerId, reason: string): Promise<CommandReport> {
  const { change } = await access.clearOverride({ id, reason }).catch(orAbsent);
  return report(access, id, change === null ? "absent" : "cleared", change);
}

const outcomeWords = {
  set: "now has levels of its own.",
  cleared: "no longer has levels of its own.",
  absent: "has no levels of its own. Nothing changed.",
};

async function report(
  { readCustomer, awaitApplied, now }: WriteAccess,
  id: CustomerId,
  outcome: keyof typeof outcomeWords,
  change: number | null,
): Promise<CommandReport> {
  const applied = await awaitApplied(change);
  const customer = await readCustomer(id);
  return {
    lines: [`${id} ${outcomeWords[outcome]}`, sayInForce(customer, now()), ...sayApplied(change, applied)],
    json: { ...customerToJson(customer), outcome, change, applied },
  };
}
