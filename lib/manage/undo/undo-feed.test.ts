import { describe, expect, it } from "vitest";
import { format } from "../../ip/block.ts";
import { keys } from "../../redis/keys.ts";
import { addFeed, changeFeed, removeFeed } from "../feeds/change-feed.ts";
import { findFeed, readFeeds, requireFeed } from "../feeds/definition.ts";
import { contentsOf } from "../feeds/feed-contents.ts";
import { parseSource } from "../feeds/feed-source.ts";
import { readStates } from "../feeds/feed-state.ts";
import { refreshFeed } from "../feeds/refresh.ts";
import { lines, testFeeds } from "../feeds/vitest.feeds.ts";
import { undo } from "./undo.ts";

const feeds = testFeeds();
const { lists, context, given } = feeds;
const id = "scanner-list";

const feed = () => requireFeed(lists.client, id);
const refresh = async () => refreshFeed(context(), await feed());
const change = async (changed: Partial<Parameters<typeof changeFeed>[1]>) => {
  const before = (await lists.records()).length;
  await changeFeed(context(), { id, reason: "a test", ...changed });
  return before + 1;
};
const takeBack = (n: number) =>
  undo({ ...context(), role: "admin", hasSso: false }, { n, reason: "undone at once" });

async function inForce(): Promise<string[]> {
  const { contents } = await feed();
  return [...((await contentsOf(lists.client, id, contents?.digest)) ?? [])].map(format);
}

describe("the undo of a change of a feed", () => {
  it("leaves what refreshes have brought since", async () => {
    feeds.source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    const shadowed = await change({ mode: "shadow" });
    feeds.source.serve("/list", lines(12));
    expect(await refresh()).toMatchObject({ is: "changed" });
    const { contents, previous } = await feed();
    await takeBack(shadowed);
    expect(await feed()).toMatchObject({ mode: "enforce", contents, previous });
    for (const one of [contents, previous])
      expect(await lists.client.pttl(keys.feedContents(id, one?.digest ?? ""))).toBe(-1);
    await expect(takeBack(shadowed)).rejects.toThrow();
  });

  it("removes a feed that was added and read", async () => {
    feeds.source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    const { contents } = await feed();
    await takeBack(1);
    expect(await readFeeds(lists.client)).toEqual([]);
    expect(await readStates(lists.client)).toEqual(new Map());
    expect(await lists.client.pttl(keys.feedContents(id, contents?.digest ?? ""))).toBeGreaterThan(0);
    await takeBack((await lists.records()).length);
    expect(await inForce()).toHaveLength(10);
  });

  it("brings back what another source had, and reads that again", async () => {
    feeds.source.serve("/list", lines(10));
    feeds.source.serve("/other", lines(12));
    await addFeed(context(), given("/list"));
    const moved = await change({ source: parseSource(feeds.source.url("/other")) });
    expect(await inForce()).toHaveLength(12);
    await takeBack(moved);
    expect(await inForce()).toHaveLength(10);
    expect((await readStates(lists.client)).get(id)).toMatchObject({ nextAt: 0, etag: null });
    expect((await feed()).source).toMatchObject({ url: feeds.source.url("/list") });
    expect(await refresh()).toEqual({ is: "unchanged" });
  });

  it("is refused where people have changed it since, or removed it", async () => {
    feeds.source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    const shadowed = await change({ mode: "shadow" });
    await change({ everyMs: 60_000 });
    await expect(takeBack(shadowed)).rejects.toThrow("was changed by");
    await removeFeed(context(), { id, reason: "a test" });
    await expect(takeBack(shadowed)).rejects.toThrow("was changed by");
    expect(await findFeed(lists.client, id)).toBeUndefined();
  });
});

describe("the undo of a refresh", () => {
  it("leaves what people have changed since", async () => {
    feeds.source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    feeds.source.serve("/list", lines(12));
    await refresh();
    const refreshed = (await lists.records()).length;
    await change({ mode: "shadow" });
    await takeBack(refreshed);
    expect(await feed()).toMatchObject({ mode: "shadow" });
    expect(await inForce()).toHaveLength(10);
    expect(await refresh()).toEqual({ is: "unchanged" });
  });

  it("is refused where another refresh has brought more", async () => {
    feeds.source.serve("/list", lines(10));
    await addFeed(context(), given("/list"));
    feeds.source.serve("/list", lines(12));
    await refresh();
    const refreshed = (await lists.records()).length;
    feeds.source.serve("/list", lines(13));
    await refresh();
    await expect(takeBack(refreshed)).rejects.toThrow("no longer kept");
    expect(await inForce()).toHaveLength(13);
  });
});
