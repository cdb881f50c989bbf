import { createHash } from "node:crypto";
import type { Connection } from "./connect.ts";
import { keys, mirrored } from "./keys.ts";
import { lua } from "./lua.generated.ts";
import { defineScript, type Script } from "./script.ts";

/** A string (its beginning, if it is long), or the fields and values of a hash in turn. */
export type Contents = string | readonly string[];

/** A part of what `mirrored` names: keys with the life each has left and, where they are wanted, their contents. */
export interface Copy {
  holds(key: string): boolean;
  /** A fresh copy begins beside the one in use. */
  begin(): void;
  /** A key of the fresh copy: ms left, -1 when it stays, -2 when it is gone. */
  load(key: string, ttlMs: number, contents?: Contents): void;
  /** A key as it is now, for both copies; -2 when it is gone. */
  put(key: string, ttlMs: number, contents?: Contents): void;
  /**
   * A key as a scan found it, for both copies. True when the copy in use held something else. Without it, what a scan finds is
   * in force once all is read.
   */
  review?(key: string, ttlMs: number, contents?: Contents): boolean;
  /** Once all is read: keys of the copy in use that the fresh one lacks, a part at a time. Keys that expired are left out. */
  missing?(): Iterable<readonly string[]>;
  /** Everything was read: the fresh copy takes over. */
  finish(): void;
  /** What the copy in use holds, for a snapshot. Each piece takes a few ms. @param since a moment from which ends are counted */
  pack?(since: number): Iterable<Packed>;
  /** Puts a piece into the fresh copy. Returns how many keys it has. Undefined for one that `pack` has not made. */
  unpack?(bytes: Uint8Array, since: number): number | undefined;
}

/** Keys in a form of the copy's own. */
export interface Packed {
  readonly bytes: Uint8Array;
  readonly keys: number;
}

const longestPackedMs = 2 ** 41;

/** An end as a whole number of ms after a moment, both on this process' monotonic clock. 0: never. */
export function packedEnd(endsAt: number, since: number): number {
  const ms = Math.ceil(endsAt - since);
  return ms > longestPackedMs ? 0 : 1 + Math.max(0, ms);
}

export function unpackedEnd(packed: number, since: number): number {
  return packed === 0 ? Number.POSITIVE_INFINITY : since + packed - 1;
}

/** A page that waits for its turn in a busy process makes all its ends later. Smaller differences are none. */
export const endsDifferMs = 2_000;

/** Of two moments, each undefined for a key that does not exist and infinite for one that stays. */
export function isAnotherEnd(before: number | undefined, after: number | undefined): boolean {
  if (before === after) return false;
  return before === undefined || after === undefined || Math.abs(before - after) > endsDifferMs;
}

/** Several copies that are loaded in one walk; each key goes to the one that holds it. */
export class Copies implements Copy {
  readonly #copies: readonly Copy[];

  constructor(copies: readonly Copy[]) {
    this.#copies = copies;
  }

  holds(key: string): boolean {
    return this.#holder(key) !== undefined;
  }

  begin(): void {
    for (const copy of this.#copies) copy.begin();
  }

  load(key: string, ttlMs: number, contents?: Contents): void {
    this.#holder(key)?.load(key, ttlMs, contents);
  }

  put(key: string, ttlMs: number, contents?: Contents): void {
    this.#holder(key)?.put(key, ttlMs, contents);
  }

  review(key: string, ttlMs: number, contents?: Contents): boolean {
    const copy = this.#holder(key);
    if (copy?.review) return copy.review(key, ttlMs, contents);
    copy?.load(key, ttlMs, contents);
    return false;
  }

  *missing(): Generator<readonly string[]> {
    for (const copy of this.#copies) if (copy.missing) yield* copy.missing();
  }

  finish(): void {
    for (const copy of this.#copies) copy.finish();
  }

  /** The first byte of a piece is the place of its copy. */
  *pack(since: number): Generator<Packed> {
    for (const [place, copy] of this.#copies.entries())
      for (const { bytes, keys: count } of copy.pack?.(since) ?? [])
        yield { bytes: Buffer.concat([Uint8Array.of(place), bytes]), keys: count };
  }

  unpack(bytes: Uint8Array, since: number): number | undefined {
    return this.#copies[bytes[0] ?? this.#copies.length]?.unpack?.(bytes.subarray(1), since);
  }

  #holder(key: string): Copy | undefined {
    for (const copy of this.#copies) if (copy.holds(key)) return copy;
    return undefined;
  }
}

/** A page of keys with the life left, and of keys with life and contents. */
export interface CopyPage {
  readonly cursor: string;
  readonly lives: readonly (string | number)[];
  readonly contents: readonly (string | number | string[])[];
  /** What the page cost Redis in ms. Undefined where it is not measured. */
  readonly costMs?: number | undefined;
}

export interface ChangedKeys {
  /** The last change that is certainly in it. */
  readonly change: number;
  readonly ttls: readonly number[];
  /** By the place of the key among those that were asked for. */
  readonly contents: ReadonlyMap<number, Contents>;
}

/** How a mirror reads what its copy holds. */
export interface ReadingScripts {
  readonly loadPage: Script<string, CopyPage>;
  readonly readChanged: Script<readonly string[], ChangedKeys>;
}

const pageSize = 1_000;

/** A page of what nodes hold copies of: keys with the life left, and keys with life and contents. */
export const loadPage = defineScript({
  lua: lua.loadPage,
  keys: () => [],
  args: (cursor: string) => [cursor, mirrored.pattern, pageSize, mirrored.withContents, ...mirrored.own],
  reply: ([cursor, lives, contents, costMicros]: [
    string,
    (string | number)[],
    (string | number | string[])[],
    number,
  ]) => ({
    cursor,
    lives,
    contents,
    costMs: costMicros > 0 ? costMicros / 1_000 : undefined,
  }),
});

/** What became of changed keys, and the number of the last change that is certainly in it. */
export const readChanged = defineScript({
  lua: lua.readChanged,
  keys: (changed: readonly string[]) => [keys.change(), ...changed],
  args: () => [mirrored.withContents],
  reply: ([change, ttls, contents]: [number, number[], (number | Contents)[]]) => ({
    change,
    ttls,
    contents: new Map(inPairs(contents)),
  }),
});

/** As every node reads: of list entries only the life. */
export const nodeScripts: ReadingScripts = { loadPage, readChanged };

export function* inPairs(flat: readonly (number | Contents)[]): Generator<[number, Contents]> {
  for (let i = 0; i + 1 < flat.length; i += 2) {
    const [index, contents] = [flat[i], flat[i + 1]];
    if (typeof index === "number" && contents !== undefined && typeof contents !== "number")
      yield [index, contents];
  }
}

/** Nodes that know another format read all keys. */
export const snapshotFormat = 1;
/** What has come to the format: earlier nodes leave it out, and nodes that know it take no snapshot without it. */
export const snapshotHas = "tier-ends";

/** What a snapshot of all copies is, as its keeper says. */
export interface SnapshotHead {
  readonly id: string;
  /** Redis' clock in ms when it was begun. */
  readonly at: number;
  readonly pieces: number;
  /** Of all pieces. */
  readonly keys: number;
  /** What a walk through all keys takes: a node that starts from the snapshot has made none. */
  readonly pages: number;
  readonly costMs: number;
  /** How often its keeper has said that all keys written before then are in the list of written keys. */
  readonly beats: number;
  /** Length of that list. */
  readonly written: number;
}

/** Undefined where there is no snapshot that this process can read. */
export async function readSnapshotHead(redis: Connection): Promise<SnapshotHead | undefined> {
  const { format, has, id, ...fields } = await redis.hgetall(keys.snapshot());
  const { at, pieces, keys: count, pages, costMs, beats, written } = fields;
  const numbers = [at, pieces, count, pages, costMs, beats, written].map(Number);
  if (Number(format) !== snapshotFormat || has !== snapshotHas || !id) return undefined;
  if (!numbers.every((one) => one >= 0)) return undefined;
  const head = { id, at: Number(at), pieces: Number(pieces), keys: Number(count) };
  return {
    ...head,
    pages: Number(pages),
    costMs: Number(costMs),
    beats: Number(beats),
    written: Number(written),
  };
}

const digestBytes = 20;

function digestOf(id: string, place: number, bytes: Uint8Array): Buffer {
  return createHash("sha1").update(`${id} ${place} `).update(bytes).digest();
}

/** A piece with a digest before it, which also names its snapshot and its place. */
export function sealPiece(id: string, place: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([digestOf(id, place, bytes), bytes]);
}

/** Undefined for a piece that is missing, cut or damaged, or of another snapshot. */
export function openPiece(
  id: string,
  place: number,
  sealed: Buffer | null | undefined,
): Uint8Array | undefined {
  if (!sealed || sealed.length < digestBytes) return undefined;
  const bytes = sealed.subarray(digestBytes);
  return digestOf(id, place, bytes).equals(sealed.subarray(0, digestBytes)) ? bytes : undefined;
}
