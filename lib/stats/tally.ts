import { HeavyHitters } from "./heavy-hitters.ts";

/** One decision, as far as statistics are concerned. */
export interface Decided {
  readonly outcome: "pass" | "safelisted" | "blocked" | "throttled";
  /** The rule that denied, or the entry that decided. */
  readonly rule: string | undefined;
  /** Whom that rule counted, if it is neither the address nor the customer. */
  readonly client?: string | undefined;
  readonly shadowed: readonly string[];
  readonly isUnsure: boolean;
  /** The address, or for IPv6 its network: whom rules count unless told otherwise. Nothing when it is not known. */
  readonly network: string | undefined;
  readonly customerId: string | undefined;
  readonly tookMs: number;
}

/** What one request looked like. */
export interface Glimpse {
  readonly ip: string;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly userAgent: string;
}

export interface Seen extends Glimpse {
  readonly outcome: Decided["outcome"] | "shadow";
  readonly rule: string;
  readonly customerId: string;
  /** How many like it this one stands for. */
  readonly standsFor: number;
}

export interface Hitter {
  readonly name: string;
  readonly count: number;
  readonly denied: number;
}

/** What has happened since the last time. */
export interface Report {
  /** By field of the series: an outcome, a rule, a latency bucket. */
  readonly counts: ReadonlyMap<string, number>;
  readonly hitters: readonly Hitter[];
  readonly seen: readonly Seen[];
}

/** Upper ends, in ms, of what decisions are sorted into; the last bucket takes the rest. */
export const latencyEndsMs = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50] as const;

/** How many clients a node tells apart in one second. */
const mostClients = 8_192;
/** Of every so many requests of one client, one is looked at. */
const glimpseEvery = 64;

/** How names of hitters begin, so that an address is never taken for a customer. */
export const hitterKinds = { ip: "ip ", customer: "customer ", rule: "rule " } as const;

interface Kept {
  readonly outcome: Seen["outcome"];
  readonly rule: string;
  readonly customerId: string;
  readonly glimpse: Glimpse;
  readonly isDenial: boolean;
}

/** The busiest of one kind of clients, and how often each of them was denied. */
class Busiest {
  readonly #prefix: string;
  readonly #hitters: HeavyHitters;
  readonly #denied: Uint32Array;
  readonly #hits: Uint32Array;

  constructor(kind: keyof typeof hitterKinds, most: number) {
    this.#prefix = hitterKinds[kind];
    this.#hitters = new HeavyHitters(most);
    this.#denied = new Uint32Array(most);
    this.#hits = new Uint32Array(most);
  }

  /** Whether this request of the client is one of those to look at. */
  hit(name: string, isDenied: boolean): boolean {
    const found = this.#hitters.hit(name);
    const slot = found < 0 ? ~found : found;
    if (found < 0) {
      this.#denied[slot] = 0;
      this.#hits[slot] = 0;
    }
    if (isDenied) raise(this.#denied, slot);
    return raise(this.#hits, slot) % glimpseEvery === 1;
  }

  *untold(): Generator<Untold> {
    for (const { slot, name, count } of this.#hitters.certain())
      yield { of: this, name, count, denied: Math.min(count, this.#denied[slot] ?? 0) };
  }

  tell({ name, count, denied }: Untold): Hitter {
    this.#hitters.forget(name);
    return { name: this.#prefix + name, count, denied };
  }

  clear(): void {
    this.#hitters.clear();
  }
}

interface Untold extends Hitter {
  readonly of: Busiest;
}

/** What a node counts between two reports, in memory that does not grow with the number of clients. */
export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #latencies = new Uint32Array(latencyEndsMs.length + 1);
  readonly #ips = new Busiest("ip", mostClients);
  readonly #customers = new Busiest("customer", mostClients / 4);
  readonly #others = new Busiest("rule", mostClients / 4);
  readonly #busiest = [this.#ips, this.#customers, this.#others];
  readonly #kept: Kept[] = [];
  #tookMs = 0;
  /** Denials so far, of which only some are kept. */
  #denials = 0;
  /** How many denials are kept of one report. */
  mostSeen = 20;
  mostHitters = 1_000;

  /** @param look tells what the request looked like; asked of a few alone, because it costs more than counting */
  note(decided: Decided, look: () => Glimpse): void {
    const { outcome, rule, shadowed, network, customerId, client } = decided;
    const isDenied = outcome === "blocked" || outcome === "throttled";
    this.#count(outcome);
    if (decided.isUnsure) this.#count("unsure");
    if (outcome === "throttled" && rule !== undefined) this.#count(`denied ${rule}`);
    for (const name of shadowed) this.#count(`shadow ${name}`);
    raise(this.#latencies, bucketOf(decided.tookMs));
    this.#tookMs += decided.tookMs;
    const isGlimpse = network !== undefined && this.#ips.hit(network, isDenied);
    if (customerId !== undefined) this.#customers.hit(customerId, isDenied);
    if (client !== undefined) this.#others.hit(`${rule} ${client}`, isDenied);
    if (isDenied || shadowed.length > 0) this.#keepDenial(decided, look);
    else if (isGlimpse && this.#kept.length < 2 * this.mostSeen) this.#keep(decided, look, false);
  }

  /** Nothing when nothing happened, and all was told. What it tells is forgotten here. */
  take(): Report | undefined {
    const hitters = this.#heaviest();
    if (this.#counts.size === 0 && hitters.length === 0) return undefined;
    const counts = new Map(this.#counts);
    this.#latencies.forEach((count, bucket) => {
      if (count > 0) counts.set(`took ${bucket}`, count);
    });
    const report = { counts, hitters, seen: this.#seen() };
    if (counts.size > 0) counts.set("took us", Math.round(this.#tookMs * 1_000));
    this.#tookMs = 0;
    this.#counts.clear();
    this.#latencies.fill(0);
    this.#kept.length = 0;
    this.#denials = 0;
    return report;
  }

  /** Clients are counted by the minute: what is left of one does not belong into the next. */
  endMinute(): void {
    for (const busiest of this.#busiest) busiest.clear();
  }

  #count(field: string): void {
    this.#counts.set(field, (this.#counts.get(field) ?? 0) + 1);
  }

  /** Each denial has the same chance to be kept, however many there are. */
  #keepDenial(decided: Decided, look: () => Glimpse): void {
    this.#denials++;
    const nth = this.#denials <= this.mostSeen ? undefined : Math.floor(Math.random() * this.#denials);
    if (nth === undefined) this.#keep(decided, look, true);
    else if (nth < this.mostSeen) this.#keep(decided, look, true, this.#placeOfDenial(nth));
  }

  #placeOfDenial(nth: number): number {
    let left = nth;
    return this.#kept.findIndex(({ isDenial }) => isDenial && left-- === 0);
  }

  #keep(
    { outcome, rule, shadowed, customerId }: Decided,
    look: () => Glimpse,
    isDenial: boolean,
    place = this.#kept.length,
  ): void {
    const isShadow = outcome === "pass" && shadowed.length > 0;
    this.#kept[place] = {
      outcome: isShadow ? "shadow" : outcome,
      rule: (isShadow ? shadowed[0] : rule) ?? "",
      customerId: customerId ?? "",
      glimpse: look(),
      isDenial,
    };
  }

  #seen(): Seen[] {
    const keptDenials = Math.min(this.#denials, this.mostSeen);
    const share = keptDenials === 0 ? 1 : Math.max(1, Math.round(this.#denials / keptDenials));
    return this.#kept.map(({ glimpse, isDenial, outcome, rule, customerId }) => ({
      ...glimpse,
      outcome,
      rule,
      customerId,
      standsFor: isDenial ? share : glimpseEvery,
    }));
  }

  /** Whoever is not among them is told of later, with what comes until then: few requests a second are many a minute. */
  #heaviest(): Hitter[] {
    const all = this.#busiest.flatMap((busiest) => [...busiest.untold()]);
    if (all.length > this.mostHitters) all.sort((a, b) => b.count - a.count);
    return all.slice(0, this.mostHitters).map((untold) => untold.of.tell(untold));
  }
}

function raise(counts: Uint32Array, at: number): number {
  const count = (counts[at] ?? 0) + 1;
  counts[at] = count;
  return count;
}

function bucketOf(ms: number): number {
  let bucket = 0;
  while (bucket < latencyEndsMs.length && ms > (latencyEndsMs[bucket] ?? 0)) bucket++;
  return bucket;
}
