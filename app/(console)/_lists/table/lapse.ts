import type { ListedEntry } from "../../../../lib/queries/entries.ts";
import type { ListName } from "../../../../lib/redis/keys.ts";

/** Entries that somebody decided to let go, with the end they had then: another end wants another decision. */
export type Lapsing = ReadonlyMap<string, number>;

export function lapseKey(list: ListName): string {
  return `sluice.lapse.${list}`;
}

export function isLapsing(lapsing: Lapsing, { address, expiresAt }: ListedEntry): boolean {
  return expiresAt !== null && Math.abs((lapsing.get(address) ?? 0) - expiresAt) < 1_000;
}

export function toggledLapse(lapsing: Lapsing, entry: ListedEntry): Lapsing {
  const next = new Map(lapsing);
  if (isLapsing(lapsing, entry)) next.delete(entry.address);
  else if (entry.expiresAt !== null) next.set(entry.address, entry.expiresAt);
  return next;
}

export function readLapsing(stored: string | null): Lapsing {
  try {
    const read: unknown = JSON.parse(stored ?? "[]");
    if (!Array.isArray(read)) return new Map();
    return new Map(read.filter(isPair));
  } catch {
    return new Map();
  }
}

/** The latest thousand are enough for one sitting. */
export function writeLapsing(lapsing: Lapsing): string {
  return JSON.stringify([...lapsing].slice(-1_000));
}

function isPair(value: unknown): value is [string, number] {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "number";
}
