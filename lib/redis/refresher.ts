import { setTimeout as pause } from "node:timers/promises";
import { at } from "../at.ts";
import type { Connection } from "./connect.ts";
import {
  type Contents,
  type Copy,
  type CopyPage,
  nodeScripts,
  openPiece,
  type ReadingScripts,
  readSnapshotHead,
  type SnapshotHead,
} from "./copy.ts";
import { keys } from "./keys.ts";
import { breathing } from "./loop-turn.ts";
import { redisNow } from "./redis-clock.ts";

const batchSize = 500;
const writtenTogether = 1_000;

/** Who hears of what was read again. */
interface WrittenKeys {
  onOther(key: string): void | Promise<void>;
  onCopied?(key: string): void;
}

interface Walking {
  isWanted(): boolean;
  onPage?(): Promise<void>;
  rest?(): Promise<void>;
  /** Everything was read, and the fresh copy has not taken over yet. */
  onEnd?(readAgain: ReadonlySet<string>): Promise<void>;
}

/** A script does not see what it costs to write its reply. */
const replyCost = 1.2;
const walksRemembered = 3;

/** Pieces that one command reads: 128 kB, of which a thousand nodes may ask at once. One command more is under way. */
const piecesTogether = 2;
/** A keeper says ten times a second that its snapshot is complete. One that does not for so long is gone, or cannot. */
const confirmedWithinMs = 2_000;
const askAgainMs = 20;
/** A confirmation after the first may have begun before it. The one after that has begun since. */
const confirmations = 2;

/** Keys lie in no order, so pages cost the same. One that took longer waited: for this process, on the way, or for a processor. */
function usualCost(took: readonly number[]): number {
  return took.toSorted((a, b) => a - b)[Math.floor(took.length / 5)] ?? 0;
}

type Take = (key: string, ttlMs: number, contents?: Contents) => void;

/**
 * Reads into a copy: everything, a page at a time, or what was announced as written. A page never overwrites what
 * was read again since its walk began.
 */
export class Refresher {
  readonly #feed: Connection;
  readonly #copy: Copy;
  readonly #scripts: ReadingScripts;
  readonly #changed = new Set<string>();
  /** During a walk: the keys that were read again since it began. */
  #readAgain: Set<string> | undefined;
  #pages = 1;
  #walkCosts: readonly number[] = [];

  constructor(feed: Connection, copy: Copy, scripts: ReadingScripts = nodeScripts) {
    this.#feed = feed;
    this.#copy = copy;
    this.#scripts = scripts;
  }

  get isBehind(): boolean {
    return this.#changed.size > 0;
  }

  /** Of the last whole walk; after a start from a snapshot, of its keeper's. */
  get pages(): number {
    return this.#pages;
  }

  /** What a whole walk costs Redis: the least of the last ones, because what delays a walk is no cost of it. */
  get walkCostMs(): number {
    return Math.min(...(this.#walkCosts.length === 0 ? [0] : this.#walkCosts));
  }

  announce(key: string): void {
    this.#changed.add(key);
  }

  async lastChange(): Promise<number> {
    return (await this.#scripts.readChanged.run(this.#feed, [])).change;
  }

  /**
   * Reads the snapshot that a console keeps, then the keys that any program has written since. Called once writes are followed:
   * the list of written keys is read when its keeper has said later than that that it is complete. False without a snapshot that
   * can be used, and when it had to be given up.
   */
  async loadSnapshot(isWanted: () => boolean): Promise<boolean> {
    try {
      const head = await readSnapshotHead(this.#feed);
      if (!head || !isWanted()) return false;
      if (await this.#start(head, isWanted)) return true;
      // Another one may have taken its place while it was read.
      const other = await readSnapshotHead(this.#feed);
      if (!other || other.id === head.id || !isWanted()) return false;
      return await this.#start(other, isWanted);
    } catch (error) {
      // Without the right to it, or where other types are in its place, all keys are read.
      if (error instanceof Error && error.name === "ReplyError") return false;
      throw error;
    } finally {
      this.#readAgain = undefined;
    }
  }

  async #start(head: SnapshotHead, isWanted: () => boolean): Promise<boolean> {
    this.#copy.begin();
    const readAgain = new Set<string>();
    this.#readAgain = readAgain;
    if (!(await this.#unpack(head, isWanted))) return false;
    const written = await this.#writtenSince(head, isWanted);
    if (!written) return false;
    // A piece may have overwritten what was announced and read again during the load.
    const stale = new Set([...written.filter((key) => this.#copy.holds(key)), ...readAgain]);
    while (stale.size > 0) await this.#readInto(takeSome(stale, batchSize));
    if (!isWanted()) return false;
    this.#copy.finish();
    this.#pages = Math.max(1, head.pages);
    this.#walkCosts = [head.costMs];
    return true;
  }

  async #unpack({ id, at: madeAt, pieces, keys: count }: SnapshotHead, isWanted: () => boolean) {
    const asked = performance.now();
    const now = await redisNow(this.#feed);
    const since = (asked + performance.now()) / 2 - (now - madeAt);
    const breathe = breathing();
    const read = (from: number) =>
      this.#feed.hmgetBuffer(
        keys.snapshotPieces(id),
        ...Array.from({ length: Math.min(piecesTogether, pieces - from) }, (_, i) => String(from + i)),
      );
    let found = 0;
    let coming = pieces > 0 ? read(0) : Promise.resolve([]);
    for (let from = 0; from < pieces; from += piecesTogether) {
      const sealed = await coming;
      if (from + piecesTogether < pieces) coming = read(from + piecesTogether);
      coming.catch(() => {});
      for (const [i, piece] of sealed.entries()) {
        const bytes = openPiece(id, from + i, piece);
        const size = bytes && this.#copy.unpack?.(bytes, since);
        if (size === undefined || !isWanted()) return false;
        found += size;
        await breathe();
      }
    }
    return found === count;
  }

  /** Undefined where its keeper does not confirm it in time, or keeps another one by now. */
  async #writtenSince(
    { id, beats }: SnapshotHead,
    isWanted: () => boolean,
  ): Promise<readonly string[] | undefined> {
    const deadline = performance.now() + confirmedWithinMs;
    for (;;) {
      const head = await readSnapshotHead(this.#feed);
      if (head?.id !== id || !isWanted()) return undefined;
      if (head.beats >= beats + confirmations) return this.#readWritten(head);
      if (performance.now() > deadline) return undefined;
      await pause(askAgainMs, undefined, { ref: false });
    }
  }

  async #readWritten({ id, written }: SnapshotHead): Promise<readonly string[] | undefined> {
    const found: string[] = [];
    while (found.length < written) {
      const page = await this.#feed.lrange(
        keys.snapshotWritten(id),
        found.length,
        found.length + writtenTogether - 1,
      );
      if (page.length === 0) return undefined;
      found.push(...page);
    }
    return found;
  }

  /** Into the fresh copy, as Redis has these keys now. */
  async #readInto(written: readonly string[]): Promise<void> {
    const { ttls, contents } = await this.#scripts.readChanged.run(this.#feed, written);
    for (const [i, key] of written.entries()) this.#copy.load(key, at(ttls, i), contents.get(i));
  }

  /** Reads everything at once. False when it had to be given up. */
  load(isWanted: () => boolean): Promise<boolean> {
    return this.#walk((key, ttlMs, contents) => this.#copy.load(key, ttlMs, contents), { isWanted });
  }

  /**
   * The same with a rest after each page. What a page brings is in force at once, where the copy can do that. Such a copy also
   * knows which keys it held otherwise, or held and Redis does not: `onFound` gets these, page by page.
   */
  compare(
    signal: AbortSignal,
    { restMs, onFound }: { restMs: number; onFound: (found: readonly string[]) => Promise<void> },
  ): Promise<boolean> {
    const copy = this.#copy;
    let found: string[] = [];
    const report = async () => {
      if (found.length > 0 && !signal.aborted) await onFound(found);
      found = [];
    };
    const take: Take = (key, ttlMs, contents) => {
      if (!copy.review) copy.load(key, ttlMs, contents);
      else if (copy.review(key, ttlMs, contents)) found.push(key);
    };
    return this.#walk(take, {
      isWanted: () => !signal.aborted,
      onPage: report,
      rest: () => pause(restMs, undefined, { signal, ref: false }).catch(() => {}),
      onEnd: async (readAgain) => {
        const breathe = breathing();
        for (const missing of copy.missing?.() ?? []) {
          found.push(...missing.filter((key) => !readAgain.has(key)));
          await breathe();
        }
        await report();
      },
    });
  }

  async #walk(take: Take, { isWanted, onPage, rest, onEnd }: Walking): Promise<boolean> {
    this.#copy.begin();
    const readAgain = new Set<string>();
    this.#readAgain = readAgain;
    const wayMs = await this.#wayMs();
    const took: number[] = [];
    let cursor = "0";
    do {
      const startedAt = performance.now();
      const page: CopyPage = await this.#scripts.loadPage.run(this.#feed, cursor);
      took.push(
        page.costMs === undefined
          ? Math.max(0, performance.now() - startedAt - wayMs)
          : replyCost * page.costMs,
      );
      if (!isWanted()) return false;
      takeAll(page.lives, 2, readAgain, take);
      takeAll(page.contents, 3, readAgain, take);
      cursor = page.cursor;
      await onPage?.();
      if (cursor !== "0") await rest?.();
      if (!isWanted()) return false;
    } while (cursor !== "0");
    await onEnd?.(readAgain);
    if (!isWanted()) return false;
    this.#copy.finish();
    this.#readAgain = undefined;
    this.#pages = took.length;
    this.#walkCosts = [...this.#walkCosts, took.length * usualCost(took)].slice(-walksRemembered);
    return true;
  }

  /** To Redis and back. */
  async #wayMs(): Promise<number> {
    const startedAt = performance.now();
    await this.#feed.ping();
    return performance.now() - startedAt;
  }

  /** Reads some of what was announced again. Returns the last change that is in the copy then. */
  async catchUp(events: WrittenKeys): Promise<number> {
    const batch = takeSome(this.#changed, batchSize);
    const { change, ttls, contents } = await this.#scripts.readChanged.run(this.#feed, batch);
    for (const [i, key] of batch.entries()) {
      this.#readAgain?.add(key);
      if (this.#copy.holds(key)) {
        this.#copy.put(key, at(ttls, i), contents.get(i));
        events.onCopied?.(key);
      } else await events.onOther(key);
    }
    return change;
  }
}

function takeAll(
  found: readonly (string | number | string[])[],
  width: 2 | 3,
  readAgain: ReadonlySet<string>,
  take: Take,
): void {
  for (let i = 0; i < found.length; i += width) {
    const key = String(found[i]);
    if (!readAgain.has(key)) take(key, Number(found[i + 1]), contentsAt(found, width, i));
  }
}

function contentsAt(found: readonly (string | number | string[])[], width: 2 | 3, i: number) {
  const held = width === 3 ? found[i + 2] : undefined;
  return typeof held === "number" ? undefined : (held satisfies Contents | undefined);
}

function takeSome(from: Set<string>, count: number): string[] {
  const taken: string[] = [];
  for (const key of from) {
    if (taken.length === count) break;
    taken.push(key);
    from.delete(key);
  }
  return taken;
}
