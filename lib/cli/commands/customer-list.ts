import type { Customer } from "../../manage/customers/read.ts";
import { listCustomers } from "../../observe/customers/search.ts";
import { plural } from "../../observe/doctor/finding.ts";
import type { Connection } from "../../redis/connect.ts";
import type { Command } from "../command.ts";
import { customerRow, customerToJson } from "../customer.ts";
import { readCustomerId, readLimit } from "../operands.ts";
import { columns } from "../terminal.ts";

export const customerList: Command = {
  name: "customer list",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show customers that have a tier or their own levels, or are suspended",
  about: ["--search shows the customers whose ID begins with the text. Upper and lower case differ."],
  options: ["search", "limit"],
  examples: ["sluice customer list --search ac", "sluice customer list --limit all --json"],
  async run({ options, reading }) {
    const limit = readLimit(options);
    const prefix = options.text("search");
    const beginning = prefix ? readCustomerId(prefix, "search") : "";
    const { redis, now } = await reading();
    const { customers, isCut } = await gather(redis, beginning, limit);
    const more = `${customers.length} shown. There are more: --limit all shows every customer.`;
    const rows = customers.map((customer) => customerRow(customer, now()));
    return {
      lines: [
        ...(rows.length > 0 ? columns([["CUSTOMER", "TIER", "OWN LEVELS"], ...rows]) : []),
        isCut ? more : `${plural(customers.length, "customer")}.`,
      ],
      json: { customers: customers.map(customerToJson), more: isCut },
    };
  },
};

async function gather(redis: Connection, beginning: string, limit: number) {
  const found = new Map<string, Customer>();
  let cursor: string | null = "0";
  while (cursor !== null && found.size <= limit) {
    const page = await listCustomers(redis, { beginning, cursor });
    for (const customer of page.customers) found.set(customer.id, customer);
    cursor = page.cursor;
  }
  const customers = [...found.values()].slice(0, limit).sort((a, b) => (a.id < b.id ? -1 : 1));
  return { customers, isCut: found.size > limit };
}
