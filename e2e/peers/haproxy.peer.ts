import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { broadFingerprint, keyOf, standardFingerprint } from "@/lib/enforce/policy/fingerprint.ts";
import type { Ip } from "@/lib/ip/parse.ts";
import { EdgeError } from "@/lib/manage/edge/dictionary.ts";
import { haproxyDictionary } from "@/lib/manage/edge/haproxy.ts";
import { askHaproxy } from "@/lib/manage/edge/haproxy-line.ts";
import { eventually } from "@/lib/redis/testing.ts";
import { edgeFingerprints, manyKeys } from "../fixtures/edge-fingerprints.ts";
import { type Ask, ask, type EdgeSite, startEdgeSite } from "../fixtures/edge-site.ts";
import { type Haproxy, startHaproxy } from "../fixtures/haproxy.ts";

const siteRules = `  http-request deny if { path_beg /secret } !{ req.hdr(x-staff) yes }\n`;
const hour = "?cc=max-age%3D3600";
const ip = "127.0.0.1" as Ip;
const webSocket = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-version": "13",
};
const leave = async () => {};

let site: EdgeSite;
let haproxy: Haproxy;
let dictionary: ReturnType<typeof haproxyDictionary>;
const visit = (path: string, options?: Ask) => ask(haproxy.port, path, options);
const standard = (path: string) =>
  keyOf(standardFingerprint("shop.example.org", path, "GET", ip, "tester/1"));
const broad = (userAgent: string) => keyOf(broadFingerprint(ip, userAgent));

/** Exactly these are limited. */
async function limit(...keys: string[]): Promise<void> {
  const there = await dictionary.read(leave);
  await dictionary.change({ add: keys, remove: [...there].filter((key) => !keys.includes(key)) }, leave);
}

/** What staff type into the stats socket. */
const admin = (command: string) => askHaproxy(haproxy.socket, command, new AbortController().signal);

/** Another socket of HAProxy. It holds the n-th command of this kind until the test releases it. */
async function startRelay(kind: RegExp, nth: number) {
  const socket = join(haproxy.folder, "relay.sock");
  let commands = 0;
  let hold = () => {};
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    hold = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const relay = createServer((client) => {
    client.once("data", async (start) => {
      client.pause();
      if (kind.test(String(start)) && ++commands === nth) {
        hold();
        await released;
      }
      const upstream = connect(haproxy.socket);
      upstream.write(start);
      client.pipe(upstream).pipe(client);
    });
  }).listen(socket);
  await once(relay, "listening");
  const stop = () => new Promise((resolve) => relay.close(resolve));
  return { socket, held, release, stop };
}

beforeAll(async () => {
  site = await startEdgeSite();
  haproxy = await startHaproxy(site.port, siteRules);
  dictionary = haproxyDictionary(haproxy);
});
afterAll(async () => {
  dictionary.close();
  await haproxy.stop();
  await site.close();
});
beforeEach(() => {
  site.seen.length = 0;
});

describe("who is limited", () => {
  it("gets 429 for that path from the edge, and is free when the key is gone", async () => {
    expect((await visit("/foo")).status).toBe(200);
    await limit(standard("/foo"));
    site.seen.length = 0;
    const refused = await visit("/foo?page=2");
    expect(refused.status).toBe(429);
    expect(refused.body).toContain("<h1>Too Many Requests</h1>");
    expect(refused.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "private, no-store",
      "retry-after": "600",
      "x-sluice-edge": "limited",
    });
    const attempts = await Promise.all(Array.from({ length: 50 }, (_, i) => visit(`/foo?page=${i}`)));
    expect(new Set(attempts.map(({ status }) => status))).toEqual(new Set([429]));
    expect(site.seen).toEqual([]);
    const other = await visit("/bar");
    expect(other.status).toBe(200);
    expect(other.headers).not.toHaveProperty("x-sluice-edge");
    expect((await visit("/foo", { userAgent: "visitor/1" })).status).toBe(200);
    expect((await visit("/foo", { from: "127.0.0.2" })).status).toBe(200);
    expect((await visit("/foo", { host: "other.example.org" })).status).toBe(200);
    await limit();
    expect((await visit("/foo")).status).toBe(200);
  });

  it("is turned away on every path by the broad key", async () => {
    await limit(broad("Scrapy/2.8.0"));
    for (const path of ["/", "/a", "/a/b?c=1", "/d"])
      expect((await visit(path, { userAgent: "Scrapy/2.8.0" })).status).toBe(429);
    expect(site.seen).toEqual([]);
    expect((await visit("/a")).status).toBe(200);
  });

  it("still gets what is in the cache, also while the site is gone; others are asked for as ever", async () => {
    await limit();
    await visit(`/cached${hour}`);
    const { body } = await visit(`/cached${hour}`);
    expect(site.seen).toHaveLength(2);
    await limit(standard("/cached"));
    const served = await visit(`/cached${hour}`);
    expect(served).toMatchObject({ status: 200, body, headers: { "x-sluice-edge": "limited" } });
    expect((await visit(`/cached${hour}`, { headers: { cookie: "a=1" } })).body).toBe(body);
    expect((await visit(`/cached${hour}&other`)).status).toBe(429);
    await site.close();
    expect((await visit(`/cached${hour}`)).body).toBe(body);
    expect((await visit("/plain", { userAgent: "visitor/1" })).status).toBe(503);
    await site.open();
    expect(site.seen).toHaveLength(2);
    expect((await visit(`/cached${hour}`, { userAgent: "visitor/1" })).body).not.toBe(body);
  });

  it("never gets an answer to a request that had a cookie or credentials", async () => {
    await limit();
    const ofAlice: Record<string, Ask> = {
      "/cookie": { headers: { cookie: "session=alice" } },
      "/cookies": { headers: { cookie: ["a=1", "session=alice"] } },
      "/empty-cookie": { headers: { cookie: "" } },
      "/authorization": { headers: { authorization: "Basic YWxpY2U6cHc=" } },
    };
    for (const [path, options] of Object.entries(ofAlice))
      expect((await visit(path + hour, { userAgent: "alice/1", ...options })).status).toBe(200);
    await visit(`/anybody${hour}`, { userAgent: "alice/1" });
    await limit(broad("tester/1"));
    const statuses: Record<string, number> = {};
    for (const path of ["/anybody", ...Object.keys(ofAlice)]) {
      statuses[path] = (await visit(path + hour)).status;
      statuses[`${path} as alice`] = (await visit(path + hour, ofAlice[path])).status;
    }
    expect(statuses).toEqual({
      "/anybody": 200,
      "/anybody as alice": 200,
      ...Object.fromEntries(
        Object.keys(ofAlice).flatMap((path) => [
          [path, 429],
          [`${path} as alice`, 429],
        ]),
      ),
    });
  });

  it("does not take the cached page of other clients away by a cookie of its own", async () => {
    await limit();
    const { body } = await visit(`/kept${hour}`, { userAgent: "visitor/1" });
    await visit(`/kept${hour}`, { userAgent: "visitor/1", headers: { cookie: "session=alice" } });
    await limit(broad("tester/1"));
    expect(await visit(`/kept${hour}`)).toMatchObject({ status: 200, body });
  });
});

describe("no way around", () => {
  const tries: Record<string, [string, Ask]> = {
    cookie: ["/x", { headers: { cookie: "session=1" } }],
    authorization: ["/x", { headers: { authorization: "Basic dTpw" } }],
    "no-cache": ["/x", { headers: { "cache-control": "no-cache", pragma: "no-cache" } }],
    range: ["/x", { headers: { range: "bytes=0-1" } }],
    HEAD: ["/x", { method: "HEAD" }],
    POST: ["/x", { method: "POST", body: "a=1" }],
    "chunked PUT": ["/x", { method: "PUT", body: "a", headers: { "transfer-encoding": "chunked" } }],
    DELETE: ["/x", { method: "DELETE" }],
    OPTIONS: ["/x", { method: "OPTIONS" }],
    "a method of their own": ["/x", { method: "PROPFIND" }],
    upgrade: ["/x", { headers: webSocket }],
    "another address": ["/x", { headers: { "x-forwarded-for": "203.0.113.9", "x-real-ip": "203.0.113.9" } }],
    "a port": ["/x", { host: "shop.example.org:8080" }],
  };

  it("is left by cookies, methods, upgrades or headers", async () => {
    await limit(broad("tester/1"));
    const statuses: Record<string, number> = {};
    for (const [name, [path, options]] of Object.entries(tries))
      statuses[name] = (await visit(path, options)).status;
    expect(statuses).toEqual(Object.fromEntries(Object.keys(tries).map((name) => [name, 429])));
    expect(site.seen).toEqual([]);
  });

  it("leads to what the site forbids, though it is in the cache", async () => {
    await limit();
    const path = `/secret${hour}`;
    expect((await visit(path, { headers: { "x-staff": "yes" } })).status).toBe(200);
    await limit(broad("tester/1"));
    expect((await visit(path)).status).toBe(403);
    expect((await visit(path, { headers: { "x-staff": "yes" } })).status).toBe(200);
    expect(site.seen).toHaveLength(1);
  });

  it("shows the site the client's address at the end of X-Forwarded-For", async () => {
    const headers = { "x-forwarded-for": "203.0.113.9" };
    expect((await visit("/headers", { headers, from: "127.0.0.3" })).status).toBe(200);
    expect(site.seen[0]?.headers["x-forwarded-for"]).toBe("203.0.113.9, 127.0.0.3");
  });
});

it("reckons every fingerprint as the nodes do", async () => {
  await limit();
  for (const { path, ask: options } of edgeFingerprints)
    expect((await visit(path, options)).status, JSON.stringify([path, options])).toBe(200);
  await limit(...edgeFingerprints.map(({ standard }) => keyOf(standard)));
  for (const { path, ask: options, near } of edgeFingerprints) {
    const which = JSON.stringify([path, options]);
    expect((await visit(path, options)).status, which).toBe(429);
    if (near) expect((await visit(path, { ...options, ...near })).status, which).toBe(200);
  }
  await limit(...edgeFingerprints.map(({ broad }) => keyOf(broad)));
  for (const { path, ask: options } of edgeFingerprints)
    expect((await visit(path, options)).status, JSON.stringify([path, options])).toBe(429);
});

describe("the map", () => {
  it("holds 10,000 keys, and is replaced at once", async () => {
    const took: Record<number, number> = {};
    for (const count of [1_000, 10_000]) {
      await limit();
      const startedAt = performance.now();
      await dictionary.change({ add: manyKeys(count), remove: [] }, leave);
      took[count] = Math.round(performance.now() - startedAt);
      expect(await dictionary.read(leave)).toEqual(new Set(manyKeys(count)));
    }
    console.info("haproxy: ms to load as many keys", took);
    expect(await admin("show map")).toMatch(/ entry_cnt=10000$/);
    // Of who stays in it nobody is let through meanwhile.
    const kept = broad("tester/1");
    await dictionary.change({ add: [kept], remove: [] }, leave);
    let isChanging = true;
    const changing = dictionary.change({ add: manyKeys(5_000, 20_000), remove: manyKeys(10_000) }, leave);
    const changed = changing.finally(() => {
      isChanging = false;
    });
    const statuses = new Set<number>();
    while (isChanging) statuses.add((await visit("/x")).status);
    await changed;
    expect(statuses).toEqual(new Set([429]));
    expect(await dictionary.read(leave)).toEqual(new Set([kept, ...manyKeys(5_000, 20_000)]));
  });

  it("takes the same again without doubling it, and what is no key not at all", async () => {
    const [one = "", other = ""] = manyKeys(2);
    await limit(one);
    const bad = ["a b", `${other}\n\ncommit map`, "A".repeat(40), ""];
    await dictionary.change({ add: [one, ...bad], remove: [other] }, leave);
    expect(await dictionary.read(leave)).toEqual(new Set([one]));
    expect(await admin("show map")).toMatch(/ entry_cnt=1$/);
  });

  it("tells what is in force when somebody else has written, and after a restart", async () => {
    const [ours = "", theirs = ""] = manyKeys(2);
    await limit(ours);
    await admin(`add map ${haproxy.map} ${theirs} true`);
    await admin(`add map ${haproxy.map} nonsense true`);
    expect(await dictionary.read(leave)).toEqual(new Set([ours, theirs]));
    await admin(`del map ${haproxy.map} ${ours}`);
    expect(await dictionary.read(leave)).toEqual(new Set([theirs]));
    await limit(ours);
    expect(await admin(`show map ${haproxy.map}`)).toMatch(new RegExp(`^0x\\w+ ${ours} true$`));
    await haproxy.restart();
    expect(await dictionary.read(leave)).toEqual(new Set());
  });

  it("gives up a version that another process overtook, and leaves nothing of it", async () => {
    const [ours = "", theirs = ""] = manyKeys(2);
    const relay = await startRelay(/^add map/, 2);
    const overtaken = haproxyDictionary({ ...haproxy, socket: relay.socket });
    const changing = overtaken.change({ add: manyKeys(10_000, 100), remove: [] }, leave).then(
      () => "it worked",
      (error: unknown) => error,
    );
    await relay.held;
    // Another leader commits while this one still adds.
    await dictionary.change({ add: [ours, theirs], remove: [] }, leave);
    relay.release();
    expect(await changing).toBeInstanceOf(EdgeError);
    await relay.stop();
    expect(await dictionary.read(leave)).toEqual(new Set([ours, theirs]));
    expect(await admin("show map")).toMatch(/ entry_cnt=2$/);
    await limit();
  });
});

describe("in words", () => {
  const refusal = (other: Partial<Parameters<typeof haproxyDictionary>[0]>) =>
    haproxyDictionary({ ...haproxy, ...other })
      .change({ add: manyKeys(1, 7), remove: [] }, leave)
      .then(
        () => "it worked",
        (error: unknown) => (error instanceof EdgeError ? error.message : `not for people: ${error}`),
      );

  it("says that nobody listens, that nobody answers, and that there is no such map", async () => {
    const nowhere = join(haproxy.folder, "nowhere.sock");
    expect(await refusal({ socket: nowhere })).toBe(
      `No process listens at ${nowhere}. Start HAProxy with "stats socket ${nowhere} level admin".`,
    );
    expect(await refusal({ socket: "127.0.0.1:1" })).toContain("No process listens at 127.0.0.1:1");
    expect(await refusal({ map: "/etc/haproxy/other.map" })).toBe(
      "HAProxy has no map /etc/haproxy/other.map. Write it as its configuration does.",
    );
    haproxy.freeze();
    const startedAt = performance.now();
    expect(await refusal({})).toBe(`HAProxy at ${haproxy.socket} did not answer within 2 s.`);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    haproxy.kill("SIGCONT");
    expect(await eventually(() => dictionary.read(leave))).toEqual(new Set());
  });

  it("lets go when it is closed, keeps no connection, and may be used again", async () => {
    const path = join(haproxy.folder, "hung.sock");
    const hung = createServer().listen(path);
    await once(hung, "listening");
    const one = haproxyDictionary({ socket: path, map: haproxy.map });
    const reading = one.read(leave).catch((error: Error) => error.message);
    await once(hung, "connection");
    one.close();
    expect(await reading).toBe(`The connection to HAProxy at ${path} was closed.`);
    await new Promise((resolve) => hung.close(resolve));
    rmSync(path, { force: true });
    dictionary.close();
    const open = () => process.getActiveResourcesInfo().filter((name) => name === "PipeWrap").length;
    const before = open();
    await limit(...manyKeys(1_000));
    await limit();
    await eventually(() => expect(open()).toBeLessThanOrEqual(before));
  });
});
