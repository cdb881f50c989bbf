import { madeOnce } from "../../at.ts";
import { isCustomerId } from "../../enforce/customers/id.ts";
import type { SharedOverrides } from "../../enforce/customers/stored-limits.ts";
import { limitsOf } from "../../enforce/policy/client.ts";
import type { Level } from "../../enforce/policy/levels.ts";
import type { Policy } from "../../enforce/policy/schema.ts";
import { DomainError } from "../../errors.ts";
import { type Customer, readCustomers } from "../../manage/customers/read.ts";
import type { Connection } from "../../redis/connect.ts";
import { type CustomerId, type CustomerKey, customerOf, keys } from "../../redis/keys.ts";
import { type CustomerDirectory, type DirectoryEntry, isOdd } from "./directory.ts";

/** A filter: all customers, those of one tier, or those with another property. */
export type CustomerGroup = "all" | "no-tier" | "own-levels" | "suspended" | "not-obeyed" | `tier:${string}`;

export interface CustomerSearch {
  /** The first characters of the id. */
  readonly beginning: string;
  readonly group: CustomerGroup;
  readonly offset: number;
  readonly limit: number;
}

export interface CustomerMatch {
  readonly id: CustomerId;
  readonly tier: string | undefined;
  /** When its tier ends, and the tier from then on, if any. Undefined where it does not end. */
  readonly tierEnd: { readonly endsInMs: number; readonly back: string | undefined } | undefined;
  readonly override: { readonly levels: readonly Level[]; readonly endsInMs: number | null } | undefined;
  /** Undefined where it is not suspended. */
  readonly suspension: { readonly endsInMs: number | null } | undefined;
  /** The levels in force. Undefined: those for anonymous clients, by its id. */
  readonly levels: readonly Level[] | undefined;
  /** A value of the customer in Redis is not enforced. */
  readonly isFlagged: boolean;
}

export interface CustomerMatches {
  /** The size of each group, of customers whose id begins with the text. */
  readonly counts: ReadonlyMap<CustomerGroup, number>;
  /** The size of the group that was asked for. */
  readonly total: number;
  readonly customers: readonly CustomerMatch[];
}

/** A part of the directory, in the order of ids, with the size of each group. */
export function findCustomers(
  directory: CustomerDirectory,
  policy: Pick<Policy, "tiers" | "defaultTier">,
  shared: Pick<SharedOverrides, "of">,
  { beginning, group, offset, limit }: CustomerSearch,
): CustomerMatches {
  const { counts, entries } = directoryView(directory, policy.tiers, beginning, group);
  const customers = entries.slice(offset, offset + limit).map((entry) => matchOf(entry, policy, shared));
  return { counts, total: entries.length, customers };
}

/** The rows of one search. */
interface DirectoryView {
  readonly version: number;
  readonly counts: ReadonlyMap<CustomerGroup, number>;
  readonly entries: readonly DirectoryEntry[];
}

const views = new WeakMap<CustomerDirectory, Map<string, DirectoryView>>();
const mostViews = 16;

/** Pages poll: as long as no customer has changed, a search is not repeated. */
function directoryView(
  directory: CustomerDirectory,
  tiers: Policy["tiers"],
  beginning: string,
  group: CustomerGroup,
): DirectoryView {
  const kept = madeOnce(views, directory, () => new Map());
  const name = JSON.stringify([beginning, group, Object.keys(tiers)]);
  const { version } = directory;
  const known = kept.get(name);
  kept.delete(name);
  const view = known?.version === version ? known : { version, ...look(directory, tiers, beginning, group) };
  // The view used last is the last to be dropped.
  kept.set(name, view);
  for (const oldest of kept.keys()) if (kept.size > mostViews) kept.delete(oldest);
  return view;
}

function look(directory: CustomerDirectory, tiers: Policy["tiers"], beginning: string, group: CustomerGroup) {
  const kinds = new CustomerKinds(tiers, group);
  const entries = directory.beginningWith(beginning).filter((entry) => {
    const kind = kinds.of(entry);
    kind.count++;
    return kind.isWanted;
  });
  return { counts: kinds.counts(), entries };
}

interface CustomerKind {
  readonly groups: readonly CustomerGroup[];
  readonly isWanted: boolean;
  count: number;
}

/** A hundred thousand customers are of a few kinds: the groups of a kind are found once. */
class CustomerKinds {
  readonly #tiers: Policy["tiers"];
  readonly #wanted: CustomerGroup;
  readonly #byTier = new Map<string | undefined, CustomerKind[]>();

  constructor(tiers: Policy["tiers"], wanted: CustomerGroup) {
    this.#tiers = tiers;
    this.#wanted = wanted;
  }

  of(entry: DirectoryEntry): CustomerKind {
    const { tier, override, isSuspended } = entry;
    const kinds = madeOnce(this.#byTier, tier, () => []);
    const isFlagged = isOdd(entry);
    const place = (override ? 1 : 0) + (isFlagged ? 2 : 0) + (isSuspended ? 4 : 0);
    let kind = kinds[place];
    if (!kind) {
      kind = this.#make(tier, { hasOwnLevels: override !== undefined, isFlagged, isSuspended });
      kinds[place] = kind;
    }
    return kind;
  }

  counts(): Map<CustomerGroup, number> {
    const counts = new Map<CustomerGroup, number>();
    for (const { groups, count } of [...this.#byTier.values()].flat())
      for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + count);
    return counts;
  }

  #make(
    tier: string | undefined,
    { hasOwnLevels, isFlagged, isSuspended }: Record<"hasOwnLevels" | "isFlagged" | "isSuspended", boolean>,
  ): CustomerKind {
    const groups: CustomerGroup[] = ["all", tier === undefined ? "no-tier" : `tier:${tier}`];
    if (hasOwnLevels) groups.push("own-levels");
    if (isSuspended) groups.push("suspended");
    if (isFlagged || !isKnown(tier, this.#tiers)) groups.push("not-obeyed");
    return { groups, isWanted: groups.includes(this.#wanted), count: 0 };
  }
}

function isKnown(tier: string | undefined, tiers: Policy["tiers"]): boolean {
  return tier === undefined || Object.hasOwn(tiers, tier);
}

function matchOf(
  entry: DirectoryEntry,
  policy: Pick<Policy, "tiers" | "defaultTier">,
  shared: Pick<SharedOverrides, "of">,
): CustomerMatch {
  const { id, tier, tierEndsAt, tierBack, override, overrideEndsAt, isSuspended, suspensionEndsAt } = entry;
  const tierEndsInMs = tier === undefined ? null : leftUntil(tierEndsAt);
  return {
    id,
    tier,
    tierEnd: tierEndsInMs === null ? undefined : { endsInMs: tierEndsInMs, back: tierBack },
    override: override && { levels: override, endsInMs: leftUntil(overrideEndsAt) },
    suspension: isSuspended ? { endsInMs: leftUntil(suspensionEndsAt) } : undefined,
    levels: limitsOf(policy, { tier, override }, undefined, shared.of(id))?.levels,
    isFlagged: isOdd(entry) || !isKnown(tier, policy.tiers),
  };
}

/** In ms; null for never. */
function leftUntil(endsAt: number): number | null {
  const leftMs = endsAt - performance.now();
  return Number.isFinite(leftMs) ? Math.round(leftMs) : null;
}

export interface CustomerPage {
  /** In no order. */
  readonly customers: readonly Customer[];
  /** Where the next page begins; null at the end. */
  readonly cursor: string | null;
}

const pageSize = 1_000;
/** A search with few matches answers after so many pages, before it has read all keys. */
const mostPages = 50;

/** Customers with a tier, levels of their own or a suspension whose id begins with the text: at least `wanted`, or fewer and a cursor. */
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

/** A customer has up to three keys of its own, which may be pages apart: it is listed with the first of tier, override and suspension. */
async function readNamed(redis: Connection, names: readonly string[]): Promise<Customer[]> {
  const said = new Map<CustomerId, Set<CustomerKey["says"]>>();
  for (const name of names) {
    const found = customerOf(name);
    if (found && found.says !== "tierEnd" && isCustomerId(found.id))
      madeOnce(said, found.id, () => new Set()).add(found.says);
  }
  if (said.size === 0) return [];
  const customers = await readCustomers(redis, [...said.keys()]);
  return customers.filter((customer) => {
    const listedWith = (["tier", "override", "suspension"] as const).find((says) => customer[says]);
    const here = said.get(customer.id);
    return here !== undefined && (listedWith === undefined || here.has(listedWith));
  });
}
