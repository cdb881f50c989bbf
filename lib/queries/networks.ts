import * as z from "zod/mini";
import { query } from "./query.ts";

const network = z.object({
  address: z.string(),
  /** What a range is that has no network: "private range". */
  special: z.nullable(z.string()),
  /** ISO 3166-1 alpha-2. */
  country: z.nullable(z.string()),
  asn: z.nullable(z.number()),
  asName: z.nullable(z.string()),
  traits: z.array(z.enum(["hosting", "tor", "vpn", "proxy", "anonymous"])),
  /** The addresses of a range are of several networks. */
  isSeveral: z.boolean(),
});
export type NetworkOf = z.output<typeof network>;

const reply = z.object({
  /** False: the data are still loading, so an unknown network may become known. */
  isLoaded: z.boolean(),
  /** Some of the data failed to load. */
  hasFailure: z.boolean(),
  /** The embedded data are in use, whose license requires that they are named. */
  isEmbedded: z.boolean(),
  /** In the order of the addresses. */
  of: z.array(network),
});
export type NetworksReply = z.output<typeof reply>;

/** Most addresses of one read. */
export const mostNetworks = 250;

/** Countries and autonomous systems of these addresses and ranges. */
export const networks = (addresses: readonly string[]) =>
  query(["networks", addresses], "/api/networks", reply, { addresses });

const names = z.object({
  /** Unanswered: DNS did not answer. Off and special addresses are not asked for. */
  outcome: z.enum(["answered", "unanswered", "off", "special"]),
  /** Confirmed: the name leads back to the address. */
  names: z.array(z.object({ name: z.string(), isConfirmed: z.boolean() })),
  isPartly: z.boolean(),
});
export type NamesReply = z.output<typeof names>;

/** Names of one address by DNS. */
export const clientNames = (client: string) =>
  query(["names", client], `/api/clients/${encodeURIComponent(client)}/names`, names);
