import * as z from "zod/mini";
import { query, withParameters } from "./query.ts";
import { list } from "./shapes.ts";

const contents = z.object({
  digest: z.string(),
  ranges: z.number(),
  v4: z.number(),
  v6: z.number(),
  addresses: z.number(),
  bytes: z.number(),
  /** Ms. */
  at: z.number(),
  added: z.number(),
  removed: z.number(),
});

const feed = z.object({
  id: z.string(),
  name: z.string(),
  list,
  /** As people write it, without secrets. */
  source: z.string(),
  /** Name of the header that carries the API key. Null: there is none. */
  header: z.nullable(z.string()),
  /** Empty for none. */
  column: z.string(),
  mode: z.enum(["enforce", "shadow"]),
  isPaused: z.boolean(),
  isWideConfirmed: z.boolean(),
  everyMs: z.number(),
  keepMs: z.nullable(z.number()),
  holdPercent: z.number(),
  contents: z.nullable(contents),
  /** Ms: the last attempt, and the next one. Null before the first. */
  checkedAt: z.nullable(z.number()),
  nextAt: z.nullable(z.number()),
  failing: z.nullable(z.object({ since: z.number(), tries: z.number(), cause: z.string() })),
  /** New contents that wait for a person. */
  held: z.nullable(z.object({ contents, percent: z.number(), widest: z.nullable(z.string()) })),
  /** Its keys on the blocklist, for programs that know only those. Null: none are wanted. */
  keys: z.nullable(
    z.object({ ttlMs: z.number(), count: z.number(), left: z.number(), problem: z.nullable(z.string()) }),
  ),
  left: z.object({ wide: z.number(), tooWide: z.number(), unread: z.number() }),
  /** Of the last 24 h. Null where they could not be read. */
  hits: z.nullable(z.object({ count: z.number(), hours: z.array(z.number()) })),
});
export type FeedRow = z.output<typeof feed>;

const feedsReply = z.object({
  asOf: z.number(),
  feeds: z.array(feed),
  /** Nodes that enforce no feed. */
  oldNodes: z.array(z.string()),
});
export type FeedsReply = z.output<typeof feedsReply>;

/** All feeds, with their state. */
export const feeds = () => query(["feeds"], "/api/feeds", feedsReply);

const client = z.object({
  client: z.string(),
  requests: z.number(),
  denied: z.number(),
  customers: z.array(z.string()),
});

const lastHour = z.nullable(
  z.object({
    requests: z.number(),
    denied: z.number(),
    clients: z.number(),
    customers: z.array(z.string()),
    /** Whether it is known which customers sent requests from the addresses. */
    areCustomersKnown: z.boolean(),
    busiest: z.array(client),
  }),
);

const previewReply = z.object({
  ranges: z.number(),
  v4: z.number(),
  v6: z.number(),
  addresses: z.number(),
  format: z.enum(["lines", "json"]),
  widest: z.nullable(z.string()),
  unread: z.array(z.object({ line: z.number(), text: z.string(), reason: z.string() })),
  unreadCount: z.number(),
  /** Ranges that are left out until a person confirms them. */
  wide: z.array(z.string()),
  wideCount: z.number(),
  tooWide: z.array(z.string()),
  tooWideCount: z.number(),
  /** Entries of the safelist that it overlaps. */
  safelisted: z.array(z.string()),
  safelistedCount: z.number(),
  /** The same of the blocklist. */
  blocklisted: z.array(z.string()),
  blocklistedCount: z.number(),
  /** Other feeds, by the number of ranges that they share addresses with. */
  feeds: z.array(z.object({ feed: z.string(), ranges: z.number() })),
  /** Protected ranges, and the own address, that it overlaps. */
  protected: z.array(z.object({ range: z.string(), why: z.string() })),
  /** The last hour's clients in it. Null where they could not be read. */
  lastHour,
});
export type FeedPreview = z.output<typeof previewReply>;

interface PreviewedFeed {
  readonly source: string;
  readonly column?: string | undefined;
  readonly header?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly list: string;
  readonly isWideConfirmed: boolean;
}

/** What a feed would do. Nothing is written. */
export const feedPreview = (given: PreviewedFeed) =>
  query(["feed preview", given], "/api/feeds/preview", previewReply, given);

const difference = z.object({
  count: z.number(),
  examples: z.array(z.string()),
  widest: z.array(z.string()),
});

const heldReply = z.object({
  added: difference,
  removed: difference,
  /** The last hour's clients in what was added. Null where they could not be read. */
  lastHour,
});
export type HeldFeed = z.output<typeof heldReply>;

/** What new contents of a feed would change. */
export const heldFeed = (asked: { readonly id: string; readonly digest: string }) =>
  query(["held feed", asked], withParameters("/api/feeds/held", asked), heldReply);
