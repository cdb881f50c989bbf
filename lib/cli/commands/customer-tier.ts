import { at } from "../../at.ts";
import { readTier } from "../../enforce/customers/stored-limits.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { customerToJson, sayInForce } from "../customer.ts";
import { readCustomerId, readReason } from "../operands.ts";

export const customerTier: Command = {
  name: "customer tier",
  takes: "<id> <tier|none>",
  operands: { least: 2, most: 2 },
  summary: "Set a customer's tier, or remove it from its tier",
  about: [
    "sluice policy show lists the tiers. A customer's own levels (sluice customer limit) have precedence over its tier.",
  ],
  options: ["reason"],
  examples: ['sluice customer tier acme pro --reason "signed on 9 May"', "sluice customer tier acme none"],
  async run({ operands, options, writeAccess }) {
    const id = readCustomerId(at(operands, 0));
    const text = at(operands, 1);
    const tier = text === "none" ? null : (readTier(text) ?? text);
    const reason = readReason(options);
    const { setTier, readCustomer, awaitApplied, now } = await writeAccess();
    const { change, outcome } = await setTier({ id, tier, reason });
    const applied = await awaitApplied(change);
    const customer = await readCustomer(id);
    const place = tier === null ? "in no tier" : `in tier ${tier}`;
    const says = outcome === "kept" ? `is already ${place}. Nothing changed.` : `is now ${place}.`;
    return {
      lines: [`${id} ${says}`, sayInForce(customer, now()), ...sayApplied(change, applied)],
      json: { ...customerToJson(customer), outcome, change, applied },
    };
  },
};
