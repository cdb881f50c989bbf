import { readCustomer } from "../customers/read.ts";
import { setTier } from "../customers/set-tier.ts";
import { readTier } from "../customers/tier.ts";
import { awaitApplied, sayApplied } from "./applied.ts";
import type { Command } from "./command.ts";
import { customerToJson, sayInForce } from "./customer.ts";
import { readCustomerId, readReason } from "./operands.ts";

export const customerTier: Command = {
  name: "customer tier",
  takes: "<id> <tier|none>",
  operands: { least: 2, most: 2 },
  summary: "Put a customer into a tier of the policy, or out of any",
  about: [
    "Which tiers there are, sluice policy show tells. A customer's own levels (customer limit) go on counting instead.",
  ],
  options: ["reason"],
  examples: ['sluice customer tier acme pro --reason "signed on 9 May"', "sluice customer tier acme none"],
  async run({ operands: [name, wish = ""], options, writing }) {
    const id = readCustomerId(name);
    const tier = wish === "none" ? null : (readTier(wish) ?? wish);
    const reason = readReason(options);
    const { context, redis, now } = await writing();
    const { change, outcome } = await setTier(context, { id, tier, reason });
    const applied = await awaitApplied(redis, change);
    const customer = await readCustomer(redis, id);
    const place = tier === null ? "in no tier" : `in tier ${tier}`;
    const says = outcome === "kept" ? `is ${place} already. Nothing changed.` : `is ${place} now.`;
    return {
      lines: [`${id} ${says}`, sayInForce(customer, now()), ...sayApplied(change, applied)],
      json: { ...customerToJson(customer), outcome, change, applied },
    };
  },
};
