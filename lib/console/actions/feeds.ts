"use server";

import { z } from "zod";
import {
  addFeed as add,
  changeFeed as change,
  decideHeld as decide,
  removeFeed as remove,
} from "../../manage/feeds/change-feed.ts";
import { requireFeed } from "../../manage/feeds/definition.ts";
import { parseSource } from "../../manage/feeds/feed-source.ts";
import { refreshFeed as refresh } from "../../manage/feeds/refresh.ts";
import { action } from "../action.ts";
import { feedContext } from "../feeds/feed-context.ts";
import { column, columnOf } from "../feeds/feed-preview.ts";

const reason = z.string().trim().max(500, "at most 500 characters").default("");
const id = z.string().max(60);

/** Numbers of what can be undone at once. The undo of a change takes back what its refresh brought, too. */
const listOf = (change: number | null) => (change === null ? [] : [change]);

/** Adds a feed and reads it. */
export const addFeed = action({
  name: "feed.add",
  needs: "feeds",
  input: z.object({
    name: z.string().trim().min(1, "write a name").max(60),
    list: z.enum(["safelist", "blocklist"]),
    source: z.string().trim().min(1, "write a URL").max(2_000),
    column,
    header: z.string().trim().max(100).optional(),
    apiKey: z.string().max(4_000).optional(),
    mode: z.enum(["enforce", "shadow"]),
    everyMs: z.number(),
    keepMs: z.number().nullable(),
    holdPercent: z.number(),
    isWideConfirmed: z.boolean(),
    keysTtlMs: z.number().optional(),
    reason,
  }),
  async run(ctx, { source, header, apiKey, ...given }) {
    const { feed, change: added } = await add(
      { ...feedContext(), ...ctx },
      {
        ...{ ...given, source: parseSource(source) },
        ...{ header: header || undefined, apiKey: apiKey || undefined },
      },
    );
    return { id: feed.id, changes: listOf(added) };
  },
});

/** Pauses, resumes, enforces or shadows a feed, confirms its wide ranges, or changes how it is read. */
export const changeFeed = action({
  name: "feed.change",
  needs: "feeds",
  input: z.object({
    id,
    mode: z.enum(["enforce", "shadow"]).optional(),
    isPaused: z.boolean().optional(),
    isWideConfirmed: z.boolean().optional(),
    source: z.string().trim().max(2_000).optional(),
    header: z.string().trim().max(100).optional(),
    apiKey: z.string().max(4_000).optional(),
    /** An empty one removes it. */
    column: z.string().trim().max(100).transform(columnOf).optional(),
    everyMs: z.number().optional(),
    keepMs: z.number().nullable().optional(),
    holdPercent: z.number().optional(),
    keysTtlMs: z.number().nullable().optional(),
    reason,
  }),
  async run(ctx, { source, apiKey, ...given }) {
    const changed = {
      ...{ ...given, apiKey: apiKey || undefined },
      ...(source !== undefined && { source: parseSource(source) }),
    };
    return { changes: listOf((await change({ ...feedContext(), ...ctx }, changed)).change) };
  },
});

export const removeFeed = action({
  name: "feed.remove",
  needs: "feeds",
  input: z.object({ id, reason }),
  run: async (ctx, given) => ({ changes: listOf((await remove(ctx, given)).change) }),
});

/** Reads a feed now. */
export const refreshFeed = action({
  name: "feed.refresh",
  needs: "feeds",
  input: z.object({ id }),
  async run(ctx, { id }) {
    const outcome = await refresh({ ...feedContext(), ...ctx }, await requireFeed(ctx.redis, id));
    return { changes: outcome.is === "changed" ? listOf(outcome.change) : [] };
  },
});

/** Accepts new contents that wait, or keeps those in force. */
export const decideFeed = action({
  name: "feed.decide",
  needs: "feeds",
  input: z.object({ id, digest: z.string().max(64), accept: z.boolean(), reason }),
  run: async (ctx, given) => ({ changes: listOf((await decide(ctx, given)).change) }),
});
