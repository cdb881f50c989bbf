import type { Level } from "../policy/levels.ts";
import type { Policy } from "../policy/schema.ts";
import type { CustomerId } from "../redis/keys.ts";
import type { CustomerDirectory, Entry } from "./directory.ts";

/** Which customers are wanted: all, those of one tier, or those of whom something else is true. */
export type Group = "all" | "no-tier" | "own-levels" | "not-obeyed" | `tier:${string}`;

export interface Sought {
  /** How the id begins. */
  readonly beginning: string;
  readonly group: Group;
  readonly offset: number;
  readonly limit: number;
}

export interface Listed {
  readonly id: CustomerId;
  readonly tier: string | undefined;
  readonly override: { readonly levels: readonly Level[]; readonly endsInMs: number | null } | undefined;
  /** The levels that count; without any, it is as good as anonymous. */
  readonly levels: readonly Level[] | undefined;
  /** Something of it in Redis is not obeyed. */
  readonly isFlagged: boolean;
}

export interface Found {
  /** How many there are in each group, of those whose id begins so. */
  readonly counts: ReadonlyMap<Group, number>;
  /** How many are in the group that is wanted. */
  readonly total: number;
  readonly customers: readonly Listed[];
}

/** A part of the directory, in the order of ids, with how many there are of each kind. */
export function findCustomers(
  directory: CustomerDirectory,
  tiers: Policy["tiers"],
  { beginning, group, offset, limit }: Sought,
): Found {
  const { counts, entries } = viewOf(directory, tiers, beginning, group);
  const customers = entries.slice(offset, offset + limit).map((entry) => listed(entry, tiers));
  return { counts, total: entries.length, customers };
}

/** What somebody looks at, from its first row to its last. */
interface View {
  readonly version: number;
  readonly counts: ReadonlyMap<Group, number>;
  readonly entries: readonly Entry[];
}

const views = new WeakMap<CustomerDirectory, Map<string, View>>();
const mostViews = 16;

/** Pages are polled: as long as nothing has changed, nobody walks through all customers again. */
function viewOf(directory: CustomerDirectory, tiers: Policy["tiers"], beginning: string, group: Group): View {
  const kept = views.get(directory) ?? new Map<string, View>();
  views.set(directory, kept);
  const name = JSON.stringify([beginning, group, Object.keys(tiers)]);
  const { version } = directory;
  const known = kept.get(name);
  kept.delete(name);
  const view = known?.version === version ? known : { version, ...look(directory, tiers, beginning, group) };
  // The last used is the last in line to go.
  kept.set(name, view);
  for (const oldest of kept.keys()) if (kept.size > mostViews) kept.delete(oldest);
  return view;
}

function look(directory: CustomerDirectory, tiers: Policy["tiers"], beginning: string, group: Group) {
  const kinds = new Kinds(tiers, group);
  const entries = directory.beginningWith(beginning).filter((entry) => {
    const kind = kinds.of(entry);
    kind.count++;
    return kind.isWanted;
  });
  return { counts: kinds.counts(), entries };
}

interface Kind {
  readonly groups: readonly Group[];
  readonly isWanted: boolean;
  count: number;
}

/** A hundred thousand customers are of a few kinds: what follows from a kind is worked out once. */
class Kinds {
  readonly #tiers: Policy["tiers"];
  readonly #wanted: Group;
  readonly #byTier = new Map<string | undefined, Kind[]>();

  constructor(tiers: Policy["tiers"], wanted: Group) {
    this.#tiers = tiers;
    this.#wanted = wanted;
  }

  of({ tier, override, isTierOdd, isOverrideOdd }: Entry): Kind {
    let kinds = this.#byTier.get(tier);
    if (!kinds) {
      kinds = [];
      this.#byTier.set(tier, kinds);
    }
    const isOdd = isTierOdd || isOverrideOdd;
    const place = (override ? 1 : 0) + (isOdd ? 2 : 0);
    let kind = kinds[place];
    if (!kind) {
      kind = this.#make(tier, override !== undefined, isOdd);
      kinds[place] = kind;
    }
    return kind;
  }

  counts(): Map<Group, number> {
    const counts = new Map<Group, number>();
    for (const { groups, count } of [...this.#byTier.values()].flat())
      for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + count);
    return counts;
  }

  #make(tier: string | undefined, hasOwnLevels: boolean, isOdd: boolean): Kind {
    const groups: Group[] = ["all", tier === undefined ? "no-tier" : `tier:${tier}`];
    if (hasOwnLevels) groups.push("own-levels");
    if (isOdd || !isKnown(tier, this.#tiers)) groups.push("not-obeyed");
    return { groups, isWanted: groups.includes(this.#wanted), count: 0 };
  }
}

function isKnown(tier: string | undefined, tiers: Policy["tiers"]): boolean {
  return tier === undefined || Object.hasOwn(tiers, tier);
}

function listed(entry: Entry, tiers: Policy["tiers"]): Listed {
  const { id, tier, override, overrideEndsAt, isTierOdd, isOverrideOdd } = entry;
  const leftMs = overrideEndsAt - performance.now();
  const ofTier = tier !== undefined && isKnown(tier, tiers) ? tiers[tier]?.levels : undefined;
  return {
    id,
    tier,
    override: override && { levels: override, endsInMs: Number.isFinite(leftMs) ? Math.round(leftMs) : null },
    levels: override ?? ofTier,
    isFlagged: isTierOdd || isOverrideOdd || !isKnown(tier, tiers),
  };
}
