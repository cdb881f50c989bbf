import { DomainError } from "../errors.ts";
import type { Connection } from "../redis/connect.ts";
import { type CustomerId, customerOf, keys } from "../redis/keys.ts";
import { isCustomerId } from "./id.ts";
import { type Customer, readCustomers } from "./read.ts";

export interface CustomerPage {
  /** In no order. */
  readonly customers: readonly Customer[];
  /** Where the next page begins; null at the end. */
  readonly cursor: string | null;
}

const pageSize = 1_000;
/** So that a search that finds little gives an answer, too, before it has seen all keys. */
const mostPages = 50;

/** Customers that have a tier or levels of their own, whose id begins so: at least `wanted`, or fewer and where to go on. */
export async function listCustomers(
  redis: Connection,
  { beginning = "", cursor = "0", wanted = 100 } = {},
): Promise<CustomerPage> {
  if (beginning !== "" && !isCustomerId(beginning))
    throw new DomainError("bad-input", "No customer id begins so: it has letters, digits and _ . @ - only.", {
      beginning: "letters, digits and _ . @ - only",
    });
  if (!/^\d{1,20}$/.test(cursor))
    throw new DomainError("bad-input", "The list does not go on there: begin again.");
  const found = new Map<CustomerId, Customer>();
  let at = cursor;
  for (let page = 0; page < mostPages && found.size < wanted; page++) {
    const [next, names] = await redis.scan(
      at,
      "MATCH",
      `${keys.customerPrefix()}${beginning}*`,
      "COUNT",
      pageSize,
    );
    for (const customer of await readNamed(redis, names)) found.set(customer.id, customer);
    at = next;
    if (at === "0") break;
  }
  return { customers: [...found.values()], cursor: at === "0" ? null : at };
}

/** One with both a tier and an override has two keys, which may lie pages apart: it is listed with its tier. */
async function readNamed(redis: Connection, names: readonly string[]): Promise<Customer[]> {
  const said = new Map<CustomerId, boolean>();
  for (const name of names) {
    const { id, says } = customerOf(name) ?? { id: "" };
    if (isCustomerId(id)) said.set(id, said.get(id) === true || says === "tier");
  }
  if (said.size === 0) return [];
  const customers = await readCustomers(redis, [...said.keys()]);
  return customers.filter(({ id, tier }) => said.get(id) === true || tier === undefined);
}
