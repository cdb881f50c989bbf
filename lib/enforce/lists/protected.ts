import { blockOf, type Cidr, type Ip, isCanonical } from "../../ip/parse.ts";
import { loopback, rangeList } from "../../ip/range-list.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { type Note, readNote } from "./entry.ts";

export interface NeverBlockRange extends ProtectedRange {
  readonly note: Note;
}

/** Reads the never-block hash, which any program may have written; what is no range protects nothing. */
export function readRanges(hash: ReadonlyMap<string, string>): {
  ranges: NeverBlockRange[];
  unreadable: string[];
} {
  const ranges: NeverBlockRange[] = [];
  const unreadable: string[] = [];
  for (const [text, value] of hash) {
    if (isCanonical(text)) ranges.push(readRange(text, readNote(value)));
    else unreadable.push(text);
  }
  return { ranges, unreadable };
}

function readRange(range: Ip | Cidr, note: Note): NeverBlockRange {
  const about = [note.by, note.reason].filter(Boolean).join(": ");
  return { range, note, why: `a protected range${about && ` (${about})`}` };
}

/** The ranges that Redis names for the whole fleet. */
export async function readNeverBlock(redis: Connection): Promise<NeverBlockRange[]> {
  const hash = await redis.hgetall(keys.neverBlock()).catch((error: Error) => {
    if (error.message.startsWith("WRONGTYPE")) return {};
    throw error;
  });
  return readRanges(new Map(Object.entries(hash))).ranges;
}

/** A range that no entry may block, and what to call it in a message. */
export interface ProtectedRange {
  readonly range: Ip | Cidr;
  readonly why: string;
}

interface ProtectedSettings {
  readonly trustedProxies?: readonly (Ip | Cidr)[];
  readonly neverBlock?: readonly (Ip | Cidr)[];
}

/** Loopback, and what the environment names. */
export function protectedRanges({
  trustedProxies = [],
  neverBlock = [],
}: ProtectedSettings): readonly ProtectedRange[] {
  const named = (why: string) => (range: Ip | Cidr) => ({ range, why });
  return [
    ...loopback.ranges.map(named("loopback")),
    ...trustedProxies.map(named("a trusted proxy")),
    ...neverBlock.map(named("a protected range of SLUICE_NEVER_BLOCK")),
  ];
}

/** A search among protected ranges for one that shares an address with what is asked for. */
export function protector(ranges: readonly ProtectedRange[]) {
  const list = rangeList(ranges.map(({ range }) => range));
  return (address: Ip | Cidr): ProtectedRange | undefined => {
    const found = list.overlapping(blockOf(address));
    return ranges.find(({ range }) => range === found);
  };
}
