import { at } from "../../at.ts";
import { isCustomerId } from "../../enforce/customers/id.ts";
import { networkLength, ownedNames, readOwnedName } from "../../enforce/stats/fields.ts";
import { ownersFormat } from "../../enforce/stats/report.ts";
import { type Block, isWhole, masked } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript, repliesOf } from "../../redis/script.ts";

/** A customer that sent signed-in requests from an address within a week. */
export interface AddressOwner {
  readonly customer: CustomerId;
  /** In the last hour, at most a minute late. */
  readonly requests: number;
  readonly lastAt: number;
}

export interface OwnedRange {
  /** As it was asked for. */
  readonly address: Ip | Cidr;
  /** The busiest first. */
  readonly owners: readonly AddressOwner[];
  /** False: there are more, and these are some of them. */
  readonly isAll: boolean;
}

export interface OwnersRead {
  readonly asOf: number;
  /**
   * A customer that used one of the addresses after this time is among its owners. Undefined while a node does not report
   * customers of addresses: then an address without an owner may be a customer's.
   */
  readonly knownSince: number | undefined;
  /** In the order of the addresses. */
  readonly of: readonly OwnedRange[];
}

/** An address of a customer; of IPv6 the network, as statistics count it. */
export interface OwnedAddress {
  readonly address: Ip | Cidr;
  readonly requests: number;
  readonly lastAt: number;
}

export interface AddressesOfCustomer {
  readonly asOf: number;
  /** As for `OwnersRead`. */
  readonly knownSince: number | undefined;
  /** The latest first. */
  readonly addresses: readonly OwnedAddress[];
}

const mostOfAddress = 16;
const mostOfRange = 2_048;
/** Customers that one read finds in all its ranges: it must not hold up Redis. */
const mostInRanges = 4_096;
/** lua/report-owners.lua keeps as many. */
const mostOfCustomer = 1_024;
const weekMs = 604_800_000;
/** Counts are kept in spans of this length, as many as cover an hour from the middle of one on. */
const spanMs = 600_000;
const wholeSpans = 5;

interface NameRange {
  readonly first: string;
  readonly last: string;
  readonly most: number;
}

interface CustomerUse extends OwnedAddress {
  readonly customer: CustomerId;
}

type RawReply = [now: number, since: string | null, ranges: [total: number, ...found: string[]][]];

const script = defineScript({
  lua: lua.readOwners,
  keys: ({ by }: { by: "address" | "customer"; ranges: readonly NameRange[] }) => [
    keys.ownersSeen(),
    by === "address" ? keys.ownersByAddress() : keys.ownersByCustomer(),
    keys.ownersRequests(),
    keys.ownersSince(),
  ],
  args: ({ by, ranges }) => [by, ...ranges.flatMap(({ first, last, most }) => [first, last, most])],
  reply: ([asOf, since, ranges]: RawReply) => ({
    asOf,
    since: since === null ? undefined : Number(since),
    ranges: ranges.map(([total, ...found]) => ({ total, uses: readUses(found, asOf) })),
  }),
});

/**
 * The customers of addresses and ranges, in one round trip. An IPv6 address has those of its network. Throws when Redis does not
 * answer: the customers are unknown then.
 *
 * @param addresses some hundreds
 */
export async function readOwners(redis: Connection, addresses: readonly (Ip | Cidr)[]): Promise<OwnersRead> {
  const blocks = addresses.map(blockOf);
  const count = blocks.filter((block) => !isWhole(block)).length;
  const most = Math.min(mostOfRange, Math.max(mostOfAddress, Math.floor(mostInRanges / Math.max(1, count))));
  const ranges = blocks.map((block) => rangeOf(block, isWhole(block) ? mostOfAddress : most));
  const [found, isReported] = await Promise.all([
    script.run(redis, { by: "address", ranges }),
    areOwnersReported(redis),
  ]);
  const of = addresses.map((address, i) => {
    const { total, uses } = at(found.ranges, i);
    return { address, owners: byCustomer(uses), isAll: total <= at(ranges, i).most };
  });
  return { asOf: found.asOf, knownSince: knownSince(found, isReported), of };
}

/** The addresses of a customer within a week, the latest first. */
export async function readAddresses(redis: Connection, customer: CustomerId): Promise<AddressesOfCustomer> {
  return at(await readAddressesOf(redis, [customer]), 0);
}

/** The same of several customers, in one round trip. */
export async function readAddressesOf(
  redis: Connection,
  customers: readonly CustomerId[],
): Promise<AddressesOfCustomer[]> {
  const most = Math.floor(mostOfCustomer / Math.max(1, customers.length));
  const ranges = customers.map((id) => ({ first: `[${id} `, last: `(${id}!`, most }));
  const [found, isReported] = await Promise.all([
    script.run(redis, { by: "customer", ranges }),
    areOwnersReported(redis),
  ]);
  return found.ranges.map(({ uses }) => ({
    ...{ asOf: found.asOf, knownSince: knownSince(found, isReported) },
    addresses: uses
      .map(({ address, requests, lastAt }) => ({ address, requests, lastAt }))
      .sort((a, b) => b.lastAt - a.lastAt),
  }));
}

function rangeOf(block: Block, most: number): NameRange {
  const isPart = block.family === 6 && block.length > networkLength;
  const [first, last] = ownedNames(isPart ? masked(block, networkLength) : block);
  return { first: `[${first} `, last: `(${last}!`, most };
}

function knownSince(
  { asOf, since }: { asOf: number; since: number | undefined },
  isReported: boolean,
): number | undefined {
  const isKnown = isReported && since !== undefined && since <= asOf;
  return isKnown ? Math.max(since, asOf - weekMs) : undefined;
}

/** Whether each live node reports the customers of addresses. */
async function areOwnersReported(redis: Connection): Promise<boolean> {
  const ids = await redis.zrange(keys.nodes(), 0, "-1");
  const pipeline = redis.pipeline();
  for (const id of ids) pipeline.hmget(keys.node(id), "id", "ownersFormat");
  const nodes = (await repliesOf(pipeline)).filter((node) => Array.isArray(node) && node[0] !== null);
  return nodes.length > 0 && nodes.every((node) => Array.isArray(node) && Number(node[1]) >= ownersFormat);
}

function readUses(found: readonly string[], asOf: number): CustomerUse[] {
  const uses: CustomerUse[] = [];
  for (let i = 0; i < found.length; i += 3) {
    const [name = "", customer = ""] = at(found, i).split(" ");
    const address = readOwnedName(name);
    // A name that another version has written.
    if (address === undefined || !isCustomerId(customer)) continue;
    const requests = lastHour(at(found, i + 2), asOf);
    uses.push({ address, customer, requests, lastAt: Number(at(found, i + 1)) });
  }
  return uses;
}

/** Of the oldest span, only a part is within the hour: its requests are taken for evenly spread. */
function lastHour(text: string, asOf: number): number {
  const [span = 0, ...counts] = text.split(" ").map(Number);
  const gone = Math.floor(asOf / spanMs) - span;
  const partAgo = 1 - (asOf % spanMs) / spanMs;
  let sum = 0;
  for (const [i, count] of counts.entries()) {
    const ago = i + gone;
    if (ago <= wholeSpans) sum += count;
    else if (ago === wholeSpans + 1) sum += count * partAgo;
  }
  return Math.round(sum);
}

function byCustomer(uses: readonly CustomerUse[]): AddressOwner[] {
  const owners = new Map<CustomerId, AddressOwner>();
  for (const { customer, requests, lastAt } of uses) {
    const known = owners.get(customer);
    owners.set(customer, {
      customer,
      requests: requests + (known?.requests ?? 0),
      lastAt: Math.max(lastAt, known?.lastAt ?? 0),
    });
  }
  return [...owners.values()].sort((a, b) => b.requests - a.requests || b.lastAt - a.lastAt);
}
