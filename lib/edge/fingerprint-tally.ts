import type { Ip } from "../ip/parse.ts";
import { broadFingerprint, standardFingerprint } from "../policy/fingerprint.ts";
import { HeavyHitters } from "../stats/heavy-hitters.ts";
import { keyOf } from "./key.ts";
import { partOf } from "./part-of.ts";

/** One request, as an edge in front would tell it apart. */
export interface Sighted {
  readonly host: string;
  /** As it was sent, without its query. */
  readonly path: string;
  readonly method: string;
  readonly ip: Ip;
  readonly userAgent: string;
}

export const fingerprintKinds = ["standard", "broad"] as const;
export type FingerprintKind = (typeof fingerprintKinds)[number];

/** What one fingerprint had more since the last time. */
export interface Sighting extends Sighted {
  /** The lower-case hex SHA-1 of the fingerprint: what an edge looks up. */
  readonly key: string;
  readonly more: number;
}

/** How many of each kind a node tells apart in one minute. */
const most = { standard: 8_192, broad: 1_024 } as const;
/** A longer one is known by its digest, so that memory does not grow with what clients make up. */
const longestName = 1_024;
/** What is shown of its host, path and method. */
const longestShown = 200;

/** Counts the fingerprints of one minute in memory that does not grow with their number. */
export class FingerprintTally {
  readonly #kinds = { standard: new Counts(most.standard), broad: new Counts(most.broad) };

  note(sighted: Sighted, isTool: boolean): void {
    const { host, path, method, ip, userAgent } = sighted;
    this.#kinds.standard.note(standardFingerprint(host, path, method, ip, userAgent), sighted);
    if (isTool) this.#kinds.broad.note(broadFingerprint(ip, userAgent), sighted);
  }

  /** Those that have come so often this minute that they may be over the limit, heaviest first. */
  take(kind: FingerprintKind, least: number, mostTaken: number): Sighting[] {
    return this.#kinds[kind].take(least, mostTaken);
  }

  /** Another minute begins. */
  clear(): void {
    for (const kind of fingerprintKinds) this.#kinds[kind].clear();
  }
}

interface Kept extends Sighted {
  /** Of a long one, instead of its text. */
  readonly key?: string;
}

class Counts {
  readonly #hitters: HeavyHitters;
  readonly #told: Uint32Array;
  readonly #kept: Kept[] = [];

  constructor(capacity: number) {
    this.#hitters = new HeavyHitters(capacity);
    this.#told = new Uint32Array(capacity);
  }

  note(fingerprint: string, sighted: Sighted): void {
    const key = fingerprint.length > longestName ? keyOf(fingerprint) : undefined;
    const slot = this.#hitters.hit(key ?? fingerprint);
    if (slot >= 0) return;
    this.#told[~slot] = 0;
    this.#kept[~slot] = key ? { ...shownOf(sighted), key } : sighted;
  }

  take(least: number, mostTaken: number): Sighting[] {
    const heavy = [...this.#hitters.certain()]
      .filter(({ slot, count }) => count >= least && count > (this.#told[slot] ?? 0))
      .sort((a, b) => b.count - a.count)
      .slice(0, mostTaken);
    return heavy.flatMap(({ slot, name, count }) => {
      const kept = this.#kept[slot];
      if (!kept) return [];
      const more = count - (this.#told[slot] ?? 0);
      this.#told[slot] = count;
      return [{ ...kept, more, key: kept.key ?? keyOf(name) }];
    });
  }

  clear(): void {
    this.#hitters.clear();
  }
}

function shownOf(sighted: Sighted): Sighted {
  const cut = (text: string) => partOf(text, text.slice(0, longestShown));
  const { host, path, method } = sighted;
  return { ...sighted, host: cut(host), path: cut(path), method: cut(method) };
}
