import { describe, expect, it, vi } from "vitest";
import { DomainError } from "../../errors.ts";
import { keys } from "../../redis/keys.ts";
import { undo } from "../undo/undo.ts";
import { addFeed, changeFeed, removeFeed } from "./change-feed.ts";
import { requireFeed } from "./definition.ts";
import { parseSource, saySource } from "./feed-source.ts";
import { newState, readStates, writeState } from "./feed-state.ts";
import { refreshFeed } from "./refresh.ts";
import { lines, testFeeds } from "./vitest.feeds.ts";

const feeds = testFeeds();
const { lists, context, given } = feeds;
const id = "scanner-list";
const admin = () => ({ ...context(), role: "admin" as const, hasSso: false });
const feed = () => requireFeed(lists.client, id);
const refresh = async () => refreshFeed(context(), await feed());
const lastRecord = async () => (await lists.records()).at(-1)?.n ?? 0;

/** Everything in Redis, as text. */
async function stored(): Promise<string> {
  const texts: string[] = [];
  for (const key of await lists.client.keys("*")) {
    texts.push(
      key,
      JSON.stringify(await lists.client.dumpBuffer(key).then((dump) => dump?.toString("latin1"))),
    );
  }
  return texts.join("\n") + JSON.stringify(await lists.records());
}

/** Answers only requests with the API key, and with the URL. */
function serveTo(apiKey: string, path: string): void {
  feeds.source.serve(path, (request, response) =>
    request.headers["x-key"] === apiKey ? response.end(lines(3)) : response.writeHead(401).end(),
  );
}

describe("what readers see of a source", () => {
  it.each([
    ["https://feeds.example.org/list.txt", "https://feeds.example.org/list.txt"],
    ["https://user:hush@feeds.example.org/a", "https://…@feeds.example.org/a"],
    ["https://hush@feeds.example.org/a", "https://…@feeds.example.org/a"],
    ["https://feeds.example.org/a?token=hush&list=3", "https://feeds.example.org/a?token=…&list=3"],
    ["https://feeds.example.org/a?list=3&ApiKey=hush", "https://feeds.example.org/a?list=3&ApiKey=…"],
    ["https://feeds.example.org/a?q=4f9c0b2d7e6a5f3c1b8d", "https://feeds.example.org/a?q=…"],
    ["https://feeds.example.org/a?list=level1#part", "https://feeds.example.org/a?list=level1#part"],
  ])("%s is %s", (text, shown) => {
    const { source, url } = parseSource(text);
    expect(saySource(source)).toBe(shown.replace("#part", ""));
    expect(url).toBe(shown.includes("…") ? text : undefined);
    expect(JSON.stringify(source)).not.toContain("hush");
  });
});

describe("the secrets of a feed", () => {
  it("are in no definition, record or state, and are read with", async () => {
    serveTo("hush", "/list?token=quiet");
    const terms = { header: "X-Key", apiKey: "hush" };
    const { refreshed } = await addFeed(context(), given("/list?token=quiet", terms));
    expect(refreshed).toMatchObject({ is: "changed", contents: { ranges: 3 } });
    expect(saySource((await feed()).source)).toBe(feeds.source.url("/list?token=…"));
    const all = await stored();
    for (const secret of ["hush", "quiet"]) expect(all).not.toContain(secret);
    expect(await refresh()).toEqual({ is: "unchanged" });
  });

  it("stay where a person changes the rest, and a part of a URL alone is refused", async () => {
    serveTo("hush", "/list?token=quiet");
    await addFeed(context(), given("/list?token=quiet", { header: "X-Key", apiKey: "hush" }));
    const source = parseSource(feeds.source.url("/list?token=…"));
    await changeFeed(context(), { id, source, everyMs: 900_000, reason: "a test" });
    expect(await feed()).toMatchObject({ everyMs: 900_000 });
    expect(await refresh()).toEqual({ is: "unchanged" });
    const moved = { id, source: parseSource(feeds.source.url("/moved?token=…")), reason: "a test" };
    await expect(changeFeed(context(), moved)).rejects.toThrow("write the whole URL");
    serveTo("hush", "/moved?token=other");
    await changeFeed(context(), { ...moved, source: parseSource(feeds.source.url("/moved?token=other")) });
    expect((await readStates(lists.client)).get(id)).toMatchObject({ failing: null });
    expect(feeds.source.requests.at(-1)?.url).toBe("/moved?token=other");
    await changeFeed(context(), { id, header: "", reason: "it needs none" });
    expect(feeds.source.requests.at(-1)?.headers["x-key"]).toBeUndefined();
  });

  it("are for the host that they were given for", async () => {
    serveTo("hush", "/list");
    await addFeed(context(), given("/list", { header: "X-Key", apiKey: "hush" }));
    const source = parseSource(`https://127.0.0.1:${feeds.source.port}/list`);
    const moved = { id, source, reason: "a test" };
    await expect(changeFeed(context(), moved)).rejects.toThrow("type it again");
    const ctx = context();
    const fetching = { ...ctx.fetching, privateHosts: ["127.0.0.1"] };
    await changeFeed({ ...ctx, fetching }, { ...moved, apiKey: "hush" });
    expect((await readStates(lists.client)).get(id)?.failing).toBeNull();
  });

  it("come back with an undo of the removal, and of a change", async () => {
    serveTo("hush", "/list");
    await addFeed(context(), given("/list", { header: "X-Key", apiKey: "hush" }));
    await removeFeed(context(), { id, reason: "not needed" });
    const [key = ""] = await lists.client.keys("sluice:feed:secret:*");
    expect(await lists.client.pttl(key)).toBeGreaterThan(7 * 86_400_000);
    await undo(admin(), { n: await lastRecord() });
    expect(await lists.client.pttl(key)).toBe(-1);
    expect(await refresh()).toEqual({ is: "unchanged" });
    await changeFeed(context(), { id, apiKey: "loud", reason: "a test" });
    expect((await readStates(lists.client)).get(id)?.failing?.cause).toContain("HTTP 401");
    await undo(admin(), { n: await lastRecord() });
    expect(await refresh()).toEqual({ is: "unchanged" });
  });

  it("are asked for again where they are no longer kept", async () => {
    serveTo("hush", "/list");
    await addFeed(context(), given("/list", { header: "X-Key", apiKey: "hush" }));
    for (const key of await lists.client.keys("sluice:feed:secret:*")) await lists.client.del(key);
    expect(await refresh()).toMatchObject({
      ...{ is: "failed", cause: expect.stringMatching(/no longer kept\. Type it again/) },
    });
    await changeFeed(context(), { id, apiKey: "hush", reason: "typed again" });
    expect((await readStates(lists.client)).get(id)?.failing).toBeNull();
  });
});

it("a definition that a record could not keep whole is refused, and nothing is written", async () => {
  const path = `/list?page=${"a-".repeat(900)}`;
  const long = { column: "c".repeat(500), name: "Scanner list" };
  const error = await addFeed(context(), given(path, long)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DomainError);
  expect(String(error)).toMatch(/together are too long: 2,\d+ bytes, and 2,500 at most/);
  expect(await lists.client.keys("sluice:*")).toEqual([]);
});

it("the state of a refresh is not written for a feed that was changed in the same moment", async () => {
  feeds.source.serve("/list", lines(3));
  await addFeed(context(), given("/list"));
  const ctx = context();
  const before = (await readStates(lists.client)).get(id);
  const reading = vi.spyOn(ctx.redis, "hget");
  reading.mockImplementationOnce(async (key, field) => {
    reading.mockRestore();
    const text = await ctx.redis.hget(key, field);
    await lists.client.hset(keys.feeds(), id, JSON.stringify({ ...JSON.parse(text ?? ""), isPaused: true }));
    return text;
  });
  const isWritten = await writeState(ctx.redis, id, newState, ({ isPaused }) => !isPaused);
  expect(isWritten).toBe(false);
  expect((await readStates(lists.client)).get(id)).toEqual(before);
  expect(await writeState(ctx.redis, id, newState, ({ isPaused }) => isPaused)).toBe(true);
});
