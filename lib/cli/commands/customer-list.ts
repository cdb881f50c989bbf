import type { Customer } from "../../manage/customers/read.ts";
import { plural } from "../../observe/doctor/finding.ts";
import type { ReadAccess } from "../access/access.ts";
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
  async run({ options, readAccess }) {
    const limit = readLimit(options);
    const prefix = options.text("search");
    const beginning = prefix ? readCustomerId(prefix, "search") : "";
    const access = await readAccess();
    const { customers, isCut } = await gather(access, beginning, limit);
    const more = `${customers.length} shown. There are more: --limit all shows every customer.`;
    const rows = customers.map((customer) => customerRow(customer, access.now()));
    return {
      lines: [
        ...(rows.length > 0 ? columns([["CUSTOMER", "TIER", "OWN LEVELS"], ...rows]) : []),
        isCut ? more : `${plural(customers.length, "customer")}.`,
      ],
      json: { customers: customers.map(customerToJson), more: isCut },
    };
  },
};

async function gather({ readCustomers }: ReadAccess, beginning: string, limit: number) {
  const found = new Map<string, Customer>();
  let cursor: string | null = "0";
  while (cursor !== null && found.size <= limit) {
    const page: { customers: readonly Customer[]; cursor: string | null } = await readCustomers({
      beginning,
      cursor,
    });
    for (const customer of page.customers) found.set(customer.id, customer);
    cursor = page.cursor;
  }
  const customers = [...found.values()].slice(0, limit).sort((a, b) => (a.id < b.id ? -1 : 1));
  return { customers, isCut: found.size > limit };
}
