import fc from "fast-check";
import { readNote, writeNote } from "../../enforce/lists/entry.ts";
import { type Block, covers, isWhole } from "../../ip/block.ts";
import { isCanonical, parseAddress, readBlock } from "../../ip/parse.ts";
import type { Contents } from "../../redis/copy.ts";
import type { ListName } from "../../redis/keys.ts";
import type { Column } from "./compare.ts";
import type { Facet } from "./facets.ts";
import type { EntryPageQuery } from "./view.ts";

/** What the catalogue must be equal to: a plain map, searched and sorted again for each question. */
export class Model {
  readonly entries = new Map<
    string,
    { readonly list: ListName; readonly text: string; contents: Contents; endsAt: number }
  >();

  put(list: ListName, text: string, contents: Contents, endsAt: number) {
    this.entries.set(`${list}:${text}`, { list, text, contents, endsAt });
  }

  page(list: ListName, wanted: EntryPageQuery, now: number, isGuarded: (block: Block) => boolean) {
    const { q = "", facet = "all", sort = "at", dir = "desc", offset = 0, limit = 50, by, tag } = wanted;
    const all = [...this.entries.values()]
      .filter((entry) => entry.list === list && entry.endsAt > now)
      .map((entry) => read(entry, isGuarded));
    const { covering, others } = search(all, q);
    const isTagged = (entry: Read) => tag === undefined || entry.tags.includes(tag);
    const isOf = (name: Facet) => (entry: Read) => isTagged(entry) && isOfFacet(entry, name, by, now);
    const shown = others.filter(isOf(facet));
    const sorted =
      sort === "hits"
        ? byHits(shown, wanted.busiest ?? [], dir)
        : shown.sort((x, y) => (dir === "desc" ? -1 : 1) * compare(x, y, sort));
    const found = [...(covering ?? []), ...others];
    const facets = Object.fromEntries(
      (["all", "expiring", "mine", "ranges", "permanent", "foreign"] as const).map((name) => [
        name,
        found.filter(isOf(name)).length,
      ]),
    );
    const listed = [...(covering ?? []).filter(isOf(facet)), ...sorted].slice(offset, offset + limit);
    return {
      entries: listed.map(({ text }) => text),
      matching: facets[facet],
      facets,
      tags: countTags(found.filter((entry) => isOfFacet(entry, facet, by, now))),
      ...(covering && { covering: covering.map(({ text }) => text) }),
    };
  }
}

function countTags(entries: readonly Read[]) {
  const all = entries.flatMap(({ tags }) => tags);
  return [...new Set(all)]
    .map((tag) => ({ tag, count: all.filter((other) => other === tag).length }))
    .sort((x, y) => y.count - x.count || order(x.tag, y.tag));
}

type Read = ReturnType<typeof read>;

function read(
  { list, text, contents, endsAt }: { list: ListName; text: string; contents: Contents; endsAt: number },
  isGuarded: (block: Block) => boolean,
) {
  const note = typeof contents === "string" ? readNote(contents) : { reason: "" };
  const block = isCanonical(text) ? readBlock(text) : undefined;
  const at = note.at === undefined ? Number.NaN : Date.parse(note.at);
  const isSigned = note.by !== undefined && note.via !== undefined && !Number.isNaN(at);
  const isWide = block !== undefined && block.length < (block.family === 4 ? 16 : 32);
  const isHeld = list === "blocklist" && block !== undefined && isGuarded(block);
  return {
    ...{ text, block, endsAt, reason: note.reason.slice(0, 500), by: note.by ?? "", via: note.via ?? "" },
    tags: note.tags ?? [],
    at: Number.isNaN(at) ? Number.NEGATIVE_INFINITY : at,
    isOdd: !block || isWide || isHeld || !isSigned || typeof contents !== "string",
  };
}

function search(all: readonly Read[], q: string): { covering?: Read[]; others: Read[] } {
  const part = q.trim().toLowerCase();
  if (part === "") return { others: [...all] };
  const parsed = parseAddress(part);
  if (!parsed.ok) return { others: all.filter((entry) => says(entry, part)) };
  const asked = readBlock(parsed.value);
  if (!asked) throw new Error("unreadable");
  const covering = all.filter(({ block }) => block && covers(block, asked));
  covering.sort((x, y) => (y.block?.length ?? 0) - (x.block?.length ?? 0));
  const others = all.filter(
    (entry) => entry.block && covers(asked, entry.block) && !covering.includes(entry),
  );
  return { covering, others };
}

function says({ text, block, reason, by, via, tags }: Read, part: string): boolean {
  const isAddress = block ? text.startsWith(part) : text.toLowerCase().includes(part);
  return isAddress || [reason, by, via, ...tags].some((said) => said.toLowerCase().includes(part));
}

function isOfFacet(entry: Read, facet: Facet, by: string | undefined, now: number): boolean {
  if (facet === "expiring") return entry.endsAt <= now + 86_400_000;
  if (facet === "mine") return by !== undefined && entry.by === by;
  if (facet === "ranges") return entry.block ? !isWhole(entry.block) : entry.text.includes("/");
  if (facet === "permanent") return entry.endsAt === Number.POSITIVE_INFINITY;
  return facet === "foreign" ? entry.isOdd : true;
}

function compare(x: Read, y: Read, sort: Column): number {
  const keys = {
    address: () => 0,
    reason: () => order(x.reason.toLowerCase(), y.reason.toLowerCase()),
    by: () => order(x.by.toLowerCase(), y.by.toLowerCase()),
    at: () => order(x.at, y.at),
    expires: () => order(x.endsAt, y.endsAt),
  };
  return keys[sort]() || compareAddresses(x, y);
}

/** In both directions, entries without hits go by address. */
function byHits(shown: readonly Read[], busiest: readonly string[], dir: "asc" | "desc"): Read[] {
  const busy = busiest.flatMap((text) => shown.find((entry) => entry.text === text) ?? []);
  const quiet = shown.filter((entry) => !busy.includes(entry)).sort(compareAddresses);
  return dir === "desc" ? [...busy, ...quiet] : [...quiet, ...busy.reverse()];
}

function compareAddresses(x: Read, y: Read): number {
  if (!x.block || !y.block) return x.block ? -1 : y.block ? 1 : order(x.text, y.text);
  const numbers = ({ family, a, b, c, d, length }: Block) =>
    [family, a >>> 0, b >>> 0, c >>> 0, d >>> 0, length].map((word) => String(word).padStart(12, "0")).join();
  return order(numbers(x.block), numbers(y.block));
}

function order<T extends string | number>(x: T, y: T): number {
  return x === y ? 0 : x < y ? -1 : 1;
}

/** A small world, so that things meet: the same addresses again and again, and what foreign writers make of them. */
const text = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(fc.nat(3), fc.nat(9)).map(([c, d]) => `203.0.${c}.${d}`) },
  { weight: 2, arbitrary: fc.constantFrom("203.0.1.0/24", "203.0.0.0/22", "203.0.0.0/16", "203.0.2.0/30") },
  {
    weight: 2,
    arbitrary: fc.constantFrom("2001:db8::1", "2001:db8:0:1::/64", "2001:db8::/32", "::1", "2001:db8:5::"),
  },
  { weight: 2, arbitrary: fc.constantFrom("203.0.0.0/15", "2001::/16", "0.0.0.0/0") },
  { weight: 2, arbitrary: fc.constantFrom("", "2001:DB8::1", "203.0.1.9/24", "example.org", "203.0.1.007") },
);
const reason = fc.oneof(
  fc.constantFrom("", "Scraper", "scraper of 203.0", "ÄRGER"),
  fc.string({ maxLength: 8 }),
);
const person = fc.constantFrom("ada@example.org", "Grace@example.org");
const at = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map((days) => new Date(Date.UTC(2026, 0, 1 + days)).toISOString()),
  fc.constantFrom("2026-02-30T00:00:00.000Z", "yesterday", "2026-01-05"),
);
const tags = fc.uniqueArray(fc.constantFrom("scrap", "asn:64500", "b", "b.c"), { maxLength: 3 });
const contents: fc.Arbitrary<Contents> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({ reason, by: person, at, via: fc.constantFrom("console", "cli"), tags })
      .map(writeNote),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      reason,
      fc.constant("x".repeat(700)),
      fc.constantFrom('{"reason":"a","x":1}', '{"reason":"a","tags":["b","B"]}'),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(["hash"], ["list"]) },
);
const life = fc.oneof(
  fc.constantFrom(-1, 500, 3_600_000, 90_000_000),
  fc.integer({ min: 1, max: 200_000_000 }),
);
const list = fc.constantFrom<ListName[]>("safelist", "blocklist");

export const arbitrary = {
  wanted: fc.record({
    q: fc.oneof(
      fc.constantFrom(
        "",
        "scrap",
        "203.0.1",
        "203.0.1.9",
        "203.0.0.0/16",
        "203.0.0.0/8",
        "2001:db8:",
        "ada",
        "äRG",
        "CLI",
        "asn:",
        "b.c",
      ),
      text,
    ),
    facet: fc.constantFrom<Facet[]>("all", "expiring", "mine", "ranges", "permanent", "foreign"),
    sort: fc.constantFrom(
      "address" as const,
      "reason" as const,
      "by" as const,
      "at" as const,
      "expires" as const,
      "hits" as const,
    ),
    busiest: fc.uniqueArray(text, { maxLength: 6 }),
    dir: fc.constantFrom("asc" as const, "desc" as const),
    offset: fc.nat(6),
    limit: fc.integer({ min: 1, max: 12 }),
    by: fc.option(person, { nil: undefined }),
    tag: fc.option(fc.constantFrom("scrap", "b", "none"), { nil: undefined }),
  }),
  list,
  step: fc.oneof(
    { weight: 12, arbitrary: fc.record({ kind: fc.constant("put" as const), list, text, contents, life }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("gone" as const), list, text }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("load" as const), isCut: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.constantFrom(400, 4_000_000) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("guard" as const), octet: fc.nat(3) }) },
  ),
};
export type Step = typeof arbitrary.step extends fc.Arbitrary<infer T> ? T : never;
