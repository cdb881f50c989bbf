import { readNote } from "../../enforce/lists/entry.ts";
import { type CoveringEntry, decisiveOf, findCovering, type RedisEntry } from "../../enforce/lists/lookup.ts";
import type { ProtectedRange } from "../../enforce/lists/protected.ts";
import { DomainError } from "../../errors.ts";
import { covers, isWhole } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, isCanonical, parseAddress } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { listNames } from "../../redis/keys.ts";
import { scanList } from "./scan.ts";

export interface AddressSearch {
  readonly address: Ip | Cidr;
  /** Entries that cover the whole address, safelist first, most specific first. */
  readonly covering: readonly CoveringEntry[];
  /** The entry that decides; undefined when no entry is enforced. */
  readonly decisive?: CoveringEntry;
  /** Entries inside the range: the first hundred, and their number. */
  readonly inside: readonly RedisEntry[];
  readonly insideCount: number;
}

const mostInside = 100;

/** The entries of both lists for an address or a range, ranges that cover it included. */
export async function search(
  redis: Connection,
  text: string,
  protectedRanges: readonly ProtectedRange[],
): Promise<AddressSearch> {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new DomainError("bad-input", `${parsed.reason}.`, { address: parsed.reason });
  const address = parsed.value;
  const covering = await findCovering(redis, blockOf(address), protectedRanges);
  const decisive = decisiveOf(covering);
  const inside = isWhole(blockOf(address))
    ? { inside: [], insideCount: 0 }
    : await findInside(redis, address);
  return { address, covering, ...(decisive && { decisive }), ...inside };
}

async function findInside(redis: Connection, range: Ip | Cidr) {
  const inside: RedisEntry[] = [];
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
