import { at } from "../../at.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { customerToJson, sayInForce } from "../customer.ts";
import { orAbsent } from "../failure.ts";
import { readCustomerId, readReason } from "../operands.ts";

export const customerResume: Command = {
  name: "customer resume",
  takes: "<id>",
  operands: { least: 1, most: 1 },
  summary: "End a customer's suspension",
  about: ["Tier and limits of the customer are as they were."],
  options: ["reason"],
  examples: ['sluice customer resume acme --reason "agreed by phone"'],
  async run({ operands, options, writeAccess }) {
    const id = readCustomerId(at(operands, 0));
    const reason = readReason(options);
    const { resume, readCustomer, awaitApplied, now } = await writeAccess();
    const { change } = await resume({ id, reason }).catch(orAbsent);
    const applied = await awaitApplied(change);
    const customer = await readCustomer(id);
    const isResumed = change !== null;
    const says = isResumed ? "is no longer suspended." : "is not suspended. Nothing changed.";
    return {
      lines: [`${id} ${says}`, sayInForce(customer, now()), ...sayApplied(change, applied)],
      json: { ...customerToJson(customer), outcome: isResumed ? "resumed" : "absent", change, applied },
    };
  },
};
