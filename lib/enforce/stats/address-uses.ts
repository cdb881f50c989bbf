/** A signed-in customer that sent requests from an address. */
export interface AddressUse {
  readonly address: string;
  readonly customer: string;
  /** Since they were reported last. */
  readonly requests: number;
}

interface KnownUse extends AddressUse {
  requests: number;
  /** The turn in which they are reported. */
  dueAt: number;
}

/** Customers and addresses that a node remembers together. */
const mostUses = 8_192;
/** Reports are made once a second. A known use is reported once in so many of them. */
const turnsBetween = 60;

/**
 * The signed-in customers of addresses. A new use is part of the next report. A known one costs a request two look-ups, and is
 * reported at most once a minute. With more uses than a report or the memory can hold, new ones wait for a later request.
 */
export class AddressUses {
  /** By customer, then by address. */
  readonly #known = new Map<string, Map<string, KnownUse>>();
  #size = 0;
  #new: KnownUse[] = [];
  /** Known uses with requests to report, each once, the earliest due first. */
  #waiting: KnownUse[] = [];
  #turn = 0;
  #sweptIn = 0;
  #most = 100;

  /** @param most uses in one report */
  keepAtMost(most: number): void {
    this.#most = most;
  }

  note(address: string, customer: string): void {
    const use = this.#known.get(customer)?.get(address);
    if (use === undefined) this.#meet(address, customer);
    else if (use.requests++ === 0) {
      use.dueAt = this.#turn + turnsBetween;
      this.#waiting.push(use);
    }
  }

  /** What this turn reports. Undefined when there is nothing, except for one turn in a minute: a report says that it works. */
  take(): readonly AddressUse[] | undefined {
    const isAlways = this.#turn % turnsBetween === 0;
    const room = this.#most - this.#new.length;
    const due = this.#waiting.findIndex(({ dueAt }) => dueAt > this.#turn);
    const ending = this.#waiting.splice(0, Math.max(0, Math.min(room, due < 0 ? this.#waiting.length : due)));
    const taken = [...this.#new, ...ending].map((use) => ({ ...use }));
    for (const use of this.#new) use.requests = 0;
    for (const use of ending) use.requests = 0;
    this.#new = [];
    this.#turn++;
    return isAlways || taken.length > 0 ? taken : undefined;
  }

  /** After a report that failed: each use is new with its next request. */
  clear(): void {
    this.#known.clear();
    this.#new = [];
    this.#waiting = [];
    this.#size = 0;
    this.#turn = 0;
    this.#sweptIn = 0;
  }

  #meet(address: string, customer: string): void {
    if (this.#new.length >= this.#most) return;
    if (this.#size >= mostUses && !this.#sweep()) return;
    const use = { address, customer, requests: 1, dueAt: 0 };
    const ofCustomer = this.#known.get(customer);
    if (ofCustomer) ofCustomer.set(address, use);
    else this.#known.set(customer, new Map([[address, use]]));
    this.#new.push(use);
    this.#size++;
  }

  /** Forgets what has nothing to report, at most once a turn. Whether there is room then. */
  #sweep(): boolean {
    if (this.#sweptIn === this.#turn) return false;
    this.#sweptIn = this.#turn;
    for (const [customer, uses] of this.#known) {
      for (const [address, { requests }] of uses) if (requests === 0) uses.delete(address) && this.#size--;
      if (uses.size === 0) this.#known.delete(customer);
    }
    return this.#size < mostUses;
  }
}
