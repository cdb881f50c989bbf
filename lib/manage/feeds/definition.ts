import { z } from "zod";
import { DomainError } from "../../errors.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys, listNames } from "../../redis/keys.ts";
import { sourceSchema } from "./feed-source.ts";

export const contentsSchema = z.object({
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
  /** Names the key of Redis with its API key and its whole URL, encrypted. */
  secret: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  mode: z.enum(["enforce", "shadow"]),
  /** Neither enforced nor refreshed. */
  isPaused: z.boolean(),
  everyMs: z.number(),
  /** Life of its `blocklist:` keys, for programs that know only those. Undefined: it has none. */
  keysTtlMs: z.number().optional(),
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

/** A record keeps 4,096 bytes of a value. Exempt addresses and contents take up to 1,500. */
const mostBytes = 2_500;

/** Throws for a definition that would outgrow what a record keeps, so that it could not be undone. */
export function checkLength({
  contents: _,
  previous: _previous,
  rejected: _rejected,
  ...feed
}: FeedDefinition) {
  const bytes = Buffer.byteLength(writeFeed({ ...feed, exempt: [] }));
  if (bytes <= mostBytes) return;
  const why = `the name, the source, the column and the header together are too long: ${bytes.toLocaleString("en-US")} bytes, and ${mostBytes.toLocaleString("en-US")} at most`;
  throw new DomainError("bad-input", `The feed cannot be written: ${why}.`, { source: why });
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

/** Undefined for another text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
