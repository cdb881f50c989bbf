import { at } from "../../at.ts";
import { readTier } from "../../enforce/customers/tier.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { customerToJson, sayInForce, sayTierEnd } from "../customer.ts";
import { readCustomerId, readFor, readReason } from "../operands.ts";

export const customerTier: Command = {
  name: "customer tier",
  takes: "<id> <tier|none>",
  operands: { least: 2, most: 2 },
  summary: "Set a customer's tier, or remove it from its tier",
  about: [
    "sluice policy show lists the tiers. A customer's own levels (sluice customer limit) have precedence over its tier.",
    "With --for, the customer goes back after that time to the tier that it has without any that ends.",
  ],
  options: ["reason", "for"],
  examples: [
    'sluice customer tier acme pro --reason "signed on 9 May"',
    'sluice customer tier acme enterprise --for 30h --reason "a launch"',
    "sluice customer tier acme none",
  ],
  async run({ operands, options, writeAccess }) {
    const id = readCustomerId(at(operands, 0));
    const text = at(operands, 1);
    const tier = text === "none" ? null : (readTier(text) ?? text);
    const [reason, forMs] = [readReason(options), readFor(options)];
    const { setTier, readCustomer, awaitApplied, now } = await writeAccess();
    const untilMs = forMs === undefined ? undefined : now() + forMs;
    const { change, outcome } = await setTier({ id, tier, reason, untilMs });
    const applied = await awaitApplied(change);
    const customer = await readCustomer(id);
    const place = tier === null ? "in no tier" : `in tier ${tier}${sayTierEnd(customer, now())}`;
    const says = outcome === "kept" ? `is already ${place}. Nothing changed.` : `is now ${place}.`;
    return {
      lines: [`${id} ${says}`, sayInForce(customer, now()), ...sayApplied(change, applied)],
      json: { ...customerToJson(customer), outcome, change, applied },
    };
  },
};
