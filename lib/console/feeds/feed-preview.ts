import { z } from "zod";
import { DomainError } from "../../errors.ts";
import { type Block, format } from "../../ip/block.ts";
import type { PackedRanges } from "../../ip/packed-ranges.ts";
import { parseSource } from "../../manage/feeds/feed-source.ts";
import { withHeader } from "../../manage/feeds/feed-terms.ts";
import { readSource } from "../../manage/feeds/refresh.ts";
import { readFeedClients, readFeedOverlaps } from "../../observe/feeds/feed-effect.ts";
import type { FeedPreview } from "../../queries/feeds.ts";
import type { Connection } from "../../redis/connect.ts";
import { type ActionContext, postedRead } from "../action.ts";
import { inFairTurn } from "../fair-turns.ts";
import { redisNowMs, theStatistics } from "../statistics.ts";
import { feedContext } from "./feed-context.ts";

const mostNamed = 20;
const nothing = { etag: null, lastModified: null };

/** A name or a number of a column. */
export const columnOf = (text: string) => (/^\d{1,3}$/.test(text) ? Number(text) : text);

export const column = z
  .string()
  .trim()
  .max(100)
  .optional()
  .transform((text) => (text ? columnOf(text) : undefined));

const input = z.object({
  source: z.string().trim().min(1, "write a URL").max(2_000),
  column,
  header: z.string().trim().max(100).optional(),
  apiKey: z.string().max(4_000).optional(),
  list: z.enum(["safelist", "blocklist"]),
  isWideConfirmed: z.boolean(),
});

/** What a feed would do. Nothing is written. */
export const postFeedPreview = postedRead({
  name: "feed.preview",
  needs: "feeds",
  longestBody: 20_000,
  input,
  run: (ctx, given, signal) =>
    inFairTurn("preview", ctx.who.sessionId, () => {
      if (signal.aborted) throw new DomainError("too-busy", "The browser no longer waits for this preview.");
      return preview(ctx, given);
    }),
});

async function preview(ctx: ActionContext, given: z.output<typeof input>): Promise<FeedPreview> {
  const written = parseSource(given.source);
  const source = withHeader(written.source, given.header || undefined);
  const feed = { id: "", source, column: given.column, isWideConfirmed: given.isWideConfirmed };
  const read = await readSource(feedContext(), feed, nothing, {
    apiKey: given.apiKey ?? "",
    url: written.url,
  });
  if (!read) throw new DomainError("bad-input", "The source answers that nothing has changed.");
  const { contents } = read;
  const { ranges } = contents;
  const around = { protectedRanges: ctx.protectedRanges, own: ctx.actor.address };
  const [overlaps, lastHour] = await Promise.all([
    readFeedOverlaps(ctx.redis, ranges, around),
    lastHourOf(ctx.redis, ranges),
  ]);
  const { v4, v6Networks } = ranges.addresses;
  const named = (found: readonly { readonly block: Block }[]) =>
    found.slice(0, mostNamed).map(({ block }) => format(block));
  return {
    ...{ ranges: ranges.size, v4: ranges.sizeOf(4), v6: ranges.sizeOf(6), addresses: v4 + v6Networks },
    ...{ format: contents.format, widest: ranges.widest ? format(ranges.widest) : null },
    // A file of this machine is shown only as far as it is a list.
    unread: source.kind === "file" ? [] : contents.unread.slice(0, mostNamed),
    unreadCount: contents.unreadCount,
    ...{ wide: named(contents.wide), wideCount: contents.wideCount },
    ...{ tooWide: named(contents.tooWide), tooWideCount: contents.tooWideCount },
    ...{ safelisted: [...overlaps.safelisted], safelistedCount: overlaps.safelistedCount },
    ...{ blocklisted: [...overlaps.blocklisted], blocklistedCount: overlaps.blocklistedCount },
    feeds: [...overlaps.feeds],
    protected: overlaps.protected.map(({ range, why }) => ({ range, why })),
    lastHour,
  };
}

/** The last hour's clients in these ranges. Null where they could not be read. */
export async function lastHourOf(redis: Connection, ranges: PackedRanges): Promise<FeedPreview["lastHour"]> {
  try {
    const clients = { redis, clients: theStatistics().clients };
    const { customers, busiest, ...found } = await readFeedClients(clients, ranges, await redisNowMs());
    const named = busiest.map((one) => ({ ...one, customers: [...one.customers] }));
    return { ...found, customers: [...customers], busiest: named };
  } catch {
    return null;
  }
}
