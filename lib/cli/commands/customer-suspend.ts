import { at } from "../../at.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { customerToJson, saySuspension } from "../customer.ts";
import { readCustomerId, readExpires, readReason } from "../operands.ts";

export const customerSuspend: Command = {
  name: "customer suspend",
  takes: "<id>",
  operands: { least: 1, most: 1 },
  summary: "Suspend a customer: all of its requests get 403",
  about: [
    "Requests from a safelisted address still pass. The policy's messages.suspended is the text of the answer.",
    "Given again, it replaces the reason and the end.",
  ],
  options: ["expires", "reason"],
  examples: [
    'sluice customer suspend acme --reason "scrapes the catalogue"',
    "sluice customer suspend acme --expires 24h",
  ],
  async run({ operands, options, writeAccess }) {
    const id = readCustomerId(at(operands, 0));
    const input = { id, expiresInMs: readExpires(options), reason: readReason(options) };
    const { suspend, readCustomer, awaitApplied, now } = await writeAccess();
    const { change } = await suspend(input);
    const applied = await awaitApplied(change);
    const customer = await readCustomer(id);
    return {
      lines: [`${id} is suspended.`, ...saySuspension(customer, now()), ...sayApplied(change, applied)],
      json: { ...customerToJson(customer), outcome: "suspended", change, applied },
    };
  },
};
