import { at } from "../../at.ts";
import type { Ip } from "../../ip/parse.ts";
import { broadFingerprint, keyOf, standardFingerprint } from "../policy/fingerprint.ts";
import { countAt, HeavyHitters } from "../stats/heavy-hitters.ts";

const longest = 512;

/** A part of a long text, which the engine would keep whole for as long as the part is kept, as a text of its own. */
export function partOf(whole: string, part: string): string {
  return whole.length <= longest || whole === part ? part : Buffer.from(part, "utf16le").toString("utf16le");
}

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
  readonly #kinds = {
    standard: new FingerprintCounts(most.standard),
    broad: new FingerprintCounts(most.broad),
  };

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

interface KeptFingerprint extends Sighted {
  /** Of a long one, instead of its text. */
  readonly key?: string;
}

class FingerprintCounts {
  readonly #hitters: HeavyHitters;
  readonly #sent: Uint32Array;
  readonly #kept: KeptFingerprint[] = [];

  constructor(capacity: number) {
    this.#hitters = new HeavyHitters(capacity);
    this.#sent = new Uint32Array(capacity);
  }

  note(fingerprint: string, sighted: Sighted): void {
    const key = fingerprint.length > longestName ? keyOf(fingerprint) : undefined;
    const slot = this.#hitters.hit(key ?? fingerprint);
    if (slot >= 0) return;
    this.#sent[~slot] = 0;
    this.#kept[~slot] = key ? { ...shownOf(sighted), key } : sighted;
  }

  take(least: number, mostTaken: number): Sighting[] {
    const heavy = [...this.#hitters.certain()]
      .filter(({ slot, count }) => count >= least && count > countAt(this.#sent, slot))
      .sort((a, b) => b.count - a.count)
      .slice(0, mostTaken);
    return heavy.map(({ slot, name, count }) => {
      const kept = at(this.#kept, slot);
      const more = count - countAt(this.#sent, slot);
      this.#sent[slot] = count;
      return { ...kept, more, key: kept.key ?? keyOf(name) };
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
