import { listCustomers } from "../customers/list.ts";
import type { Customer } from "../customers/read.ts";
import type { Connection } from "../redis/connect.ts";
import { columns } from "./columns.ts";
import type { Command } from "./command.ts";
import { customerRow, customerToJson } from "./customer.ts";
import { readCustomerId, readLimit } from "./operands.ts";
import { counted } from "./words.ts";

export const customerList: Command = {
  name: "customer list",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show the customers that have a tier or levels of their own",
  about: ["With --search those whose id begins so, in upper and lower case as it is given."],
  options: ["search", "limit"],
  examples: ["sluice customer list --search ac", "sluice customer list --limit all --json"],
  async run({ options, reading }) {
    const limit = readLimit(options);
    const sought = options.text("search");
    const beginning = sought ? readCustomerId(sought, "search") : "";
    const { redis, now } = await reading();
    const { customers, isCut } = await gather(redis, beginning, limit);
    const more = `${customers.length} shown, and there are more: --limit all shows everything.`;
    const rows = customers.map((customer) => customerRow(customer, now()));
    return {
      lines: [
        ...(rows.length > 0 ? columns([["CUSTOMER", "TIER", "OWN LEVELS"], ...rows]) : []),
        isCut ? more : `${counted(customers.length, "customer")}.`,
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
