import { setTimeout as pause } from "node:timers/promises";
import type { Connection } from "./connect.ts";
import { type Contents, type Copy, nodeScripts, type ReadingScripts } from "./copy.ts";

const batchSize = 500;

/** Who hears of what was read again. */
interface Told {
  onOther(key: string): void | Promise<void>;
  onCopied?(key: string): void;
}

/**
 * Reads into a copy: everything, a page at a time, or what was announced as written. A page never overwrites what
 * was read again since its load began.
 */
export class Refresher {
  readonly #feed: Connection;
  readonly #copy: Copy;
  readonly #scripts: ReadingScripts;
  readonly #changed = new Set<string>();
  /** While a load runs: the keys that were read again since it began. */
  #readAgain: Set<string> | undefined;

  constructor(feed: Connection, copy: Copy, scripts: ReadingScripts = nodeScripts) {
    this.#feed = feed;
    this.#copy = copy;
    this.#scripts = scripts;
  }

  get isBehind(): boolean {
    return this.#changed.size > 0;
  }

  announce(key: string): void {
    this.#changed.add(key);
  }

  /** False when it had to be given up. */
  async load(isWanted: () => boolean, restMs: number): Promise<boolean> {
    this.#copy.begin();
    const readAgain = new Set<string>();
    this.#readAgain = readAgain;
    let cursor = "0";
    do {
      const page = await this.#scripts.loadPage.run(this.#feed, cursor);
      if (!isWanted()) return false;
      this.#take(page.lives, 2, readAgain);
      this.#take(page.contents, 3, readAgain);
      cursor = page.cursor;
      if (restMs > 0) await pause(restMs);
    } while (cursor !== "0");
    this.#copy.finish();
    this.#readAgain = undefined;
    return true;
  }

  /** Reads some of what was announced again. Returns the last change that is in the copy then. */
  async catchUp(events: Told): Promise<number> {
    const batch = take(this.#changed, batchSize);
    const { change, ttls, contents } = await this.#scripts.readChanged.run(this.#feed, batch);
    for (const [i, key] of batch.entries()) {
      this.#readAgain?.add(key);
      if (this.#copy.holds(key)) {
        this.#copy.put(key, ttls[i] ?? -2, contents.get(i));
        events.onCopied?.(key);
      } else await events.onOther(key);
    }
    return change;
  }

  #take(found: readonly (string | number | string[])[], width: 2 | 3, readAgain: ReadonlySet<string>): void {
    for (let i = 0; i < found.length; i += width) {
      const key = String(found[i]);
      if (!readAgain.has(key)) this.#copy.load(key, Number(found[i + 1]), contentsAt(found, width, i));
    }
  }
}

function contentsAt(found: readonly (string | number | string[])[], width: 2 | 3, i: number) {
  const held = width === 3 ? found[i + 2] : undefined;
  return typeof held === "number" ? undefined : (held satisfies Contents | undefined);
}

function take(from: Set<string>, count: number): string[] {
  const taken: string[] = [];
  for (const key of from) {
    if (taken.length === count) break;
    taken.push(key);
    from.delete(key);
  }
  return taken;
}
