import { z } from "zod";
import { DomainError } from "../../errors.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys, listNames } from "../../redis/keys.ts";

const sourceSchema = z.discriminatedUnion("kind", [
  /** `header` is the name of the one that carries the API key. */
  z.object({ kind: z.literal("url"), url: z.string().max(2_000), header: z.string().max(100).optional() }),
  z.object({ kind: z.literal("file"), path: z.string().max(1_000) }),
  z.object({ kind: z.literal("as"), asn: z.number().int().min(1).max(4_294_967_295) }),
  z.object({ kind: z.literal("country"), code: z.string().regex(/^[A-Z]{2}$/) }),
]);
/** Where a feed's addresses come from. */
export type FeedSource = z.output<typeof sourceSchema>;

const contentsSchema = z.object({
  /** Of the packed ranges. */
  digest: z.string().regex(/^[0-9a-f]{32}$/),
  ranges: z.number(),
  v4: z.number(),
  v6: z.number(),
  /** IPv4 addresses, and IPv6 networks of 64 bits. */
  addresses: z.number(),
  v6Networks: z.number(),
  bytes: z.number(),
  /** ISO: when they were read. */
  at: z.string(),
  /** Ranges, compared with the contents before. */
  added: z.number(),
  removed: z.number(),
});
/** What a feed has, in numbers. */
export type ContentsFacts = z.output<typeof contentsSchema>;

const schema = z.object({
  name: z.string(),
  list: z.enum(listNames as ["safelist", "blocklist"]),
  source: sourceSchema,
  /** Of lines with several columns: the number of the one with the address, or its name in the first line. */
  column: z.union([z.number().int(), z.string()]).optional(),
  mode: z.enum(["enforce", "shadow"]),
  /** Neither enforced nor refreshed. */
  isPaused: z.boolean(),
  everyMs: z.number(),
  /** How long the last contents stay in force while the feed fails. Null: until it works again. */
  keepMs: z.number().nullable(),
  /** A refresh that changes the feed by more waits for a person. */
  holdPercent: z.number(),
  /** Ranges wider than /24 (IPv6 /48) are enforced, too. */
  isWideConfirmed: z.boolean(),
  /** Addresses of the admins that changed what it has or how it is enforced, the newest last: it never has them. */
  exempt: z.array(z.string()),
  contents: contentsSchema.optional(),
  /** Kept, so that the last refresh can be undone. */
  previous: contentsSchema.optional(),
  /** Digest of contents that a person did not accept. */
  rejected: z.string().optional(),
  by: z.string(),
  at: z.string(),
});

/** A named source of addresses for a list. The hash of feeds has it without its id. */
export interface FeedDefinition extends z.output<typeof schema> {
  readonly id: string;
}

const heldSchema = z.object({
  contents: contentsSchema,
  /** The largest change, of ranges or of addresses: 140 for 140% more or added, -20 for 20% less or removed. */
  percent: z.number(),
  /** The widest of the ranges that were added. */
  widest: z.string().nullable(),
});

const stateSchema = z.object({
  /** Ms: the last attempt, and the next one. */
  checkedAt: z.number(),
  nextAt: z.number(),
  /** Ms: the last attempt that did not fail. */
  okAt: z.number().nullable(),
  failing: z.object({ since: z.number(), tries: z.number(), cause: z.string() }).nullable(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** New contents that wait for a person. */
  held: heldSchema.nullable(),
  /** What the last reading left out. */
  left: z.object({ wide: z.number(), tooWide: z.number(), unread: z.number() }),
});
/** How the refresh of a feed goes. Not audited, and no node reads it. */
export type FeedState = z.output<typeof stateSchema>;

export const newState: FeedState = {
  ...{ checkedAt: 0, nextAt: 0, okAt: null, failing: null, etag: null, lastModified: null, held: null },
  left: { wide: 0, tooWide: 0, unread: 0 },
};

/** Most feeds of one Redis. Each is a look-up of its own in every request. */
export const mostFeeds = 50;

/** The id of a feed by its name: what keys, verdicts and statistics call it. */
export function idOf(name: string): string {
  const id = name
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  if (id !== "" && id.length <= 40 && name.length <= 60) return id;
  const why = id === "" ? "has no letter and no digit" : "is too long: it has 40 characters at most";
  throw new DomainError("bad-input", `A feed's name has letters or digits. ${JSON.stringify(name)} ${why}.`, {
    name: why,
  });
}

export function writeFeed({ id: _, ...feed }: FeedDefinition): string {
  return JSON.stringify(feed);
}

/** Undefined for what Sluice has not written. */
export function parseFeed(id: string, text: string): FeedDefinition | undefined {
  const parsed = schema.safeParse(jsonOf(text));
  return parsed.success ? { id, ...parsed.data } : undefined;
}

/** All feeds, by name. */
export async function readFeeds(redis: Connection): Promise<FeedDefinition[]> {
  const found = Object.entries(await redis.hgetall(keys.feeds())).flatMap(
    ([id, text]) => parseFeed(id, text) ?? [],
  );
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A feed by its id. */
export async function findFeed(redis: Connection, id: string): Promise<FeedDefinition | undefined> {
  return parseFeed(id, (await redis.hget(keys.feeds(), id)) ?? "");
}

/** A feed by its id or its name. */
export async function requireFeed(redis: Connection, named: string): Promise<FeedDefinition> {
  const feeds = await readFeeds(redis);
  const found = feeds.find(({ id, name }) => id === named || name === named);
  if (found) return found;
  const names = feeds.map(({ id }) => id).join(", ");
  throw new DomainError("not-found", `There is no feed ${named}.${names ? ` Feeds are: ${names}.` : ""}`);
}

export async function readStates(redis: Connection): Promise<ReadonlyMap<string, FeedState>> {
  const found = Object.entries(await redis.hgetall(keys.feedStates())).flatMap(([id, text]) => {
    const parsed = stateSchema.safeParse(jsonOf(text));
    return parsed.success ? [[id, parsed.data] as const] : [];
  });
  return new Map(found);
}

export async function writeState(redis: Connection, id: string, state: FeedState): Promise<void> {
  await redis.hset(keys.feedStates(), id, JSON.stringify(state));
}

/** A source as people write it. */
export function saySource(source: FeedSource): string {
  if (source.kind === "url") return source.url;
  if (source.kind === "file") return `file://${source.path}`;
  return source.kind === "as" ? `AS${source.asn}` : `country ${source.code}`;
}

/** Reads `https://…`, `file:///…`, `AS64500` and `country:DE`. */
export function parseSource(text: string): FeedSource {
  const trimmed = text.trim();
  const asn = /^as:?\s?(\d{1,10})$/i.exec(trimmed)?.[1];
  if (asn !== undefined) return checked({ kind: "as", asn: Number(asn) }, trimmed);
  const code = /^country[: ]\s?([a-z]{2})$/i.exec(trimmed)?.[1];
  if (code !== undefined) return checked({ kind: "country", code: code.toUpperCase() }, trimmed);
  if (trimmed.startsWith("file:///")) return checked({ kind: "file", path: trimmed.slice(7) }, trimmed);
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (url?.protocol !== "https:")
    throw badSource(trimmed, "write https://…, file:///…, AS64500 or country:DE");
  if (url.username !== "" || url.password !== "")
    throw badSource(trimmed, "it has a password; use the header with an API key");
  return checked({ kind: "url", url: url.href }, trimmed);
}

function checked(source: FeedSource, text: string): FeedSource {
  const parsed = sourceSchema.safeParse(source);
  if (parsed.success) return parsed.data;
  throw badSource(text, "its number, code or length is not possible");
}

function badSource(text: string, why: string): DomainError {
  return new DomainError(
    "bad-input",
    `${JSON.stringify(text.slice(0, 100))} is no source of a feed: ${why}.`,
    {
      source: why,
    },
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
