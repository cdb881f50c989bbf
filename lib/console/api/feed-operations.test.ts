import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { testApi } from "./vitest.api.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-api-feeds-"));
beforeAll(() => vi.stubEnv("SLUICE_FEED_FILES", folder));
afterAll(() => rmSync(folder, { recursive: true }));

const api = testApi();
const lines = (count: number) => Array.from({ length: count }, (_, i) => `198.51.101.${2 * i}`).join("\n");

function file(text: string): string {
  writeFileSync(join(folder, "list.txt"), text);
  return `file://${join(folder, "list.txt")}`;
}

it("adds, shows, changes, refreshes, decides about and removes a feed", async () => {
  const secret = await api.token(["read", "feeds"]);
  const send = (method: string, path: string, body?: object) => api.call(method, path, { secret, body });
  const added = await send("POST", "/feeds", { name: "Scanner list", source: file(lines(10)), reason: "ci" });
  expect([added.status, added.body]).toMatchObject([
    ...[201, { outcome: "changed", dryRun: false, feed: { id: "scanner-list", mode: "shadow" } }],
  ]);
  expect(added.body.feed.contents).toMatchObject({ ranges: 10, added: 10, removed: 0 });
  expect((await send("GET", "/feeds")).body.feeds).toEqual([added.body.feed]);
  const one = "/feeds/scanner-list";
  expect((await send("GET", `/feeds/${encodeURIComponent("Scanner list")}`)).body.id).toBe("scanner-list");
  expect((await send("GET", `${one}/hits`)).body).toEqual({ id: "scanner-list", decided: 0, shadowed: 0 });
  const paused = await send("PUT", one, { isPaused: true });
  expect(paused.body).toMatchObject({ feed: { isPaused: true }, change: expect.any(Number) });
  const resumed = await send("PUT", one, { isPaused: false, mode: "enforce", everySeconds: 900 });
  expect(resumed.body.feed).toMatchObject({ isPaused: false, mode: "enforce", everySeconds: 900 });
  file(lines(30));
  expect((await send("POST", `${one}/refresh`)).body).toMatchObject({ outcome: "held", change: null });
  const { held } = (await send("GET", one)).body;
  expect(held).toMatchObject({ ranges: 30, added: 20 });
  const stale = await send("POST", `${one}/decide`, { digest: "0".repeat(32), accept: true });
  expect(stale.status).toBe(409);
  const accepted = await send("POST", `${one}/decide`, { digest: held.digest, accept: true });
  expect(accepted.body.feed).toMatchObject({ held: null, contents: { ranges: 30 } });
  expect((await send("DELETE", `${one}?reason=done`)).body).toMatchObject({ change: expect.any(Number) });
  expect((await send("GET", one)).status).toBe(404);
  expect((await api.records()).map(({ action, actor }) => [action, actor])).toEqual(
    [...["feed.add", "feed.refresh", "feed.pause", "feed.resume", "feed.accept", "feed.remove"]].map(
      (action) => [action, "token:ci"],
    ),
  );
});

it("writes nothing in a dry run", async () => {
  const secret = await api.token(["read", "feeds"]);
  const send = (method: string, path: string, body?: object) => api.call(method, path, { secret, body });
  const url = "https://feeds.example.org/list?token=hush";
  const foreseen = await send("POST", "/feeds?dryRun=true", { name: "A", source: url });
  expect([foreseen.status, foreseen.body]).toMatchObject([
    ...[200, { change: null, dryRun: true, feed: { source: "https://feeds.example.org/list?token=…" } }],
  ]);
  await send("POST", "/feeds", { name: "Scanner list", source: file(lines(3)) });
  const one = "/feeds/scanner-list";
  const before = (await api.log.client.keys("sluice:*feed*")).toSorted();
  expect((await send("PUT", `${one}?dryRun=true`, { source: url, mode: "enforce" })).body).toMatchObject({
    ...{ change: null, feed: { mode: "enforce" } },
  });
  expect((await send("DELETE", `${one}?dryRun=true`)).body).toMatchObject({ change: null, dryRun: true });
  expect((await send("POST", `${one}/refresh?dryRun=true`)).status).toBe(400);
  expect((await api.log.client.keys("sluice:*feed*")).toSorted()).toEqual(before);
  expect((await send("GET", one)).body).toMatchObject({ mode: "shadow" });
});

it("takes the scope feeds for changes, and read for the rest", async () => {
  const reader = await api.token(["read"], { name: "reader" });
  const writer = await api.token(["feeds"], { name: "writer" });
  const lister = await api.token(["lists", "policy", "customers", "enforce"], { name: "lister" });
  expect((await api.call("GET", "/feeds", { secret: reader })).status).toBe(200);
  expect((await api.call("GET", "/feeds", { secret: writer })).status).toBe(403);
  const body = { name: "Scanner list", source: "AS64500" };
  const attempts: [string, string, object?][] = [
    ["POST", "/feeds", body],
    ["PUT", "/feeds/scanner-list", { isPaused: true }],
    ["DELETE", "/feeds/scanner-list"],
    ["POST", "/feeds/scanner-list/refresh"],
    ["POST", "/feeds/scanner-list/decide", { digest: "", accept: true }],
  ];
  for (const secret of [reader, lister])
    for (const [method, path, body] of attempts)
      expect((await api.call(method, path, { secret, body })).status, `${method} ${path}`).toBe(403);
  expect((await api.call("PUT", "/feeds/none", { secret: writer, body: { isPaused: true } })).status).toBe(
    404,
  );
});
