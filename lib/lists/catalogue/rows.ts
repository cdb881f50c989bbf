import type { Block } from "../../ip/block.ts";

/** What is known of a row at a glance, as bits. */
export const flag = {
  isAlive: 1,
  isV6: 2,
  isRange: 4,
  /** Its text is no address as Sluice writes it. */
  isStray: 8,
  isTooWide: 16,
  /** No string in Redis. */
  isNoEntry: 32,
  /** Not written by Sluice: it does not say by whom, when and through which door. */
  isForeign: 64,
  /** It overlaps a range that nobody may block. The only flag that changes while the row lives. */
  isGuarded: 128,
} as const;

/** Why nodes do not obey an entry. */
export const disobeyedFlags = flag.isStray | flag.isTooWide | flag.isNoEntry | flag.isGuarded;

/** Why an entry wants a look. */
export const oddFlags = disobeyedFlags | flag.isForeign;

/** One entry as a row of columns. Texts stand for themselves by numbers. */
export interface Row {
  readonly block: Block | undefined;
  readonly flags: number;
  /** Ms on the process' monotonic clock; Infinity for never. */
  readonly endsAt: number;
  /** Ms; -Infinity when nobody said. */
  readonly at: number;
  readonly reason: number;
  readonly by: number;
  readonly via: number;
}

const columnsOf = (capacity: number) => ({
  a: new Int32Array(capacity),
  b: new Int32Array(capacity),
  c: new Int32Array(capacity),
  d: new Int32Array(capacity),
  length: new Uint8Array(capacity),
  flags: new Uint8Array(capacity),
  endsAt: new Float64Array(capacity),
  at: new Float64Array(capacity),
  reason: new Uint32Array(capacity),
  by: new Uint32Array(capacity),
  via: new Uint32Array(capacity),
  /** The load that saw the row last. */
  seen: new Uint32Array(capacity),
});

export type Columns = ReturnType<typeof columnsOf>;

/**
 * Entries in columns, because a million objects would weigh three times as much. A row is written once and never changed
 * until it is removed; while `hold` is in force, removed rows stay readable, so that a sort in pieces stays right.
 */
export class Rows {
  columns: Columns = columnsOf(1_024);
  /** Rows from here on were never used. */
  end = 0;
  size = 0;
  readonly #free: number[] = [];
  readonly #removed: number[] = [];
  readonly #recycle: (row: number) => void;
  #holds = 0;

  /** @param recycle told of each removed row before its place is given away */
  constructor(recycle: (row: number) => void) {
    this.#recycle = recycle;
  }

  add({ block, flags, endsAt, at, reason, by, via }: Row, seen: number): number {
    const row = this.#free.pop() ?? this.end++;
    if (row >= this.columns.flags.length) this.#grow();
    const { columns } = this;
    columns.a[row] = block?.a ?? 0;
    columns.b[row] = block?.b ?? 0;
    columns.c[row] = block?.c ?? 0;
    columns.d[row] = block?.d ?? 0;
    columns.length[row] = block?.length ?? 0;
    columns.flags[row] = flags | flag.isAlive;
    columns.endsAt[row] = endsAt;
    columns.at[row] = at;
    columns.reason[row] = reason;
    columns.by[row] = by;
    columns.via[row] = via;
    columns.seen[row] = seen;
    this.size++;
    return row;
  }

  remove(row: number): void {
    this.columns.flags[row] = this.flags(row) & ~flag.isAlive;
    this.size--;
    if (this.#holds > 0) this.#removed.push(row);
    else this.#release(row);
  }

  /** Keeps removed rows readable until the returned function is called. */
  hold(): () => void {
    this.#holds++;
    return () => {
      if (--this.#holds > 0) return;
      for (const row of this.#removed.splice(0)) this.#release(row);
    };
  }

  flags(row: number): number {
    return this.columns.flags[row] ?? 0;
  }

  isAlive(row: number): boolean {
    return (this.flags(row) & flag.isAlive) !== 0;
  }

  endsAt(row: number): number {
    return this.columns.endsAt[row] ?? 0;
  }

  /** Nothing for a row whose text is no address. */
  block(row: number): Block | undefined {
    const { a, b, c, d, length } = this.columns;
    const flags = this.flags(row);
    if ((flags & flag.isStray) !== 0) return undefined;
    return {
      family: (flags & flag.isV6) === 0 ? 4 : 6,
      a: a[row] ?? 0,
      b: b[row] ?? 0,
      c: c[row] ?? 0,
      d: d[row] ?? 0,
      length: length[row] ?? 0,
    };
  }

  #release(row: number): void {
    this.#recycle(row);
    this.#free.push(row);
  }

  #grow(): void {
    const roomier = columnsOf(Math.ceil(this.columns.flags.length * 1.5));
    const { columns } = this;
    roomier.a.set(columns.a);
    roomier.b.set(columns.b);
    roomier.c.set(columns.c);
    roomier.d.set(columns.d);
    roomier.length.set(columns.length);
    roomier.flags.set(columns.flags);
    roomier.endsAt.set(columns.endsAt);
    roomier.at.set(columns.at);
    roomier.reason.set(columns.reason);
    roomier.by.set(columns.by);
    roomier.via.set(columns.via);
    roomier.seen.set(columns.seen);
    this.columns = roomier;
  }
}
