import { takeSnapshot } from "../audit/snapshot.ts";
import { DomainError } from "../errors.ts";
import { type Block, coverings, covers, isWhole } from "../ip/block.ts";
import { blockOf, type Cidr, type Ip, isCanonical, parseAddress } from "../ip/parse.ts";
import type { Connection } from "../redis/connect.ts";
import { keys, listNames } from "../redis/keys.ts";
import type { Entry } from "./list.ts";
import { disobedience } from "./lockout.ts";
import { readRanges } from "./never-block-ranges.ts";
import { readNote } from "./note.ts";
import { type ProtectedRange, protector } from "./protected.ts";
import { scanList } from "./scan.ts";

export interface Match extends Entry {
  /** Why the entry does not bite; nothing when it does. */
  readonly disobeyed?: string;
}

export interface Found {
  readonly address: Ip | Cidr;
  /** What covers the whole of the address, safelist first, most specific first. */
  readonly covering: readonly Match[];
  /** The entry that decides; nothing when neither list says anything. */
  readonly decisive?: Match;
  /** Entries inside a range that was asked for: the first hundred, and how many there are. */
  readonly inside: readonly Entry[];
  readonly insideCount: number;
}

const mostInside = 100;
const anyWidth = { 4: 0, 6: 0 } as const;

/** What both lists say of an address or a range: a match finds the ranges that cover it, too. */
export async function search(
  redis: Connection,
  text: string,
  protectedRanges: readonly ProtectedRange[],
): Promise<Found> {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new DomainError("bad-input", `${parsed.reason}.`, { address: parsed.reason });
  const address = parsed.value;
  const covering = await findCovering(redis, blockOf(address), protectedRanges);
  const decisive = covering.find(({ disobeyed }) => disobeyed === undefined);
  const inside = isWhole(blockOf(address))
    ? { inside: [], insideCount: 0 }
    : await findInside(redis, address);
  return { address, covering, ...(decisive && { decisive }), ...inside };
}

export async function findCovering(
  redis: Connection,
  block: Block,
  protectedRanges: readonly ProtectedRange[],
) {
  const places = listNames.flatMap((list) =>
    coverings(block, anyWidth).map((address) => ({ list, address })),
  );
  const slots = places.map(({ list, address }) => ({ key: keys.entry(list, address), target: address }));
  const seen = await takeSnapshot(redis, { slots, hashes: [keys.neverBlock()] });
  const neverBlock = readRanges(seen.hashes[0] ?? new Map());
  const protect = protector([...protectedRanges, ...neverBlock.ranges]);
  return places.flatMap(({ list, address }, i): Match[] => {
    const held = seen.slots[i];
    if (!held || held.kind === "none") return [];
    const disobeyed = disobedience(list, address, held.kind, protect);
    const { value, expiresAt } = held;
    return [{ list, address, note: readNote(value), expiresAt, ...(disobeyed && { disobeyed }) }];
  });
}

async function findInside(redis: Connection, range: Ip | Cidr) {
  const inside: Entry[] = [];
  let insideCount = 0;
  for (const list of listNames) {
    for await (const { text, kind, value, expiresAt } of scanList(redis, list, commonText(range))) {
      if (kind !== "string" || !isInside(range, text)) continue;
      insideCount++;
      if (inside.length < mostInside) inside.push({ list, address: text, note: readNote(value), expiresAt });
    }
  }
  return { inside, insideCount };
}

function isInside(range: Ip | Cidr, text: string): text is Ip | Cidr {
  return text !== range && isCanonical(text) && covers(blockOf(range), blockOf(text));
}

/** How the text of everything in the range begins, as far as whole groups go; "::" may swallow any zero group. */
export function commonText(range: Ip | Cidr): string {
  const { family, length } = blockOf(range);
  const [address = ""] = range.split("/", 1);
  if (family === 4)
    return address
      .split(".")
      .slice(0, length >>> 3)
      .map((part) => `${part}.`)
      .join("");
  const groups = address.split(":").slice(0, length >>> 4);
  const end = groups.findIndex((group) => group === "" || group === "0");
  return (end === -1 ? groups : groups.slice(0, end)).map((group) => `${group}:`).join("");
}
