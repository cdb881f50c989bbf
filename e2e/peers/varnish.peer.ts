import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { broadFingerprint, keyOf, standardFingerprint } from "@/lib/enforce/policy/fingerprint.ts";
import type { Ip } from "@/lib/ip/parse.ts";
import { EdgeError } from "@/lib/manage/edge/dictionary.ts";
import { varnishDictionary } from "@/lib/manage/edge/varnish.ts";
import { eventually, freePort } from "@/lib/redis/testing.ts";
import { edgeFingerprints, manyKeys } from "../fixtures/edge-fingerprints.ts";
import { type Ask, ask, type EdgeSite, startEdgeSite } from "../fixtures/edge-site.ts";
import { startVarnish, type Varnish } from "../fixtures/varnish.ts";

// A site of its own, with rules that a client must not get around by being limited.
const siteRules = `
sub vcl_recv {
  if (req.url ~ "^/secret" && req.http.X-Staff != "yes") { return (synth(403)); }
  if (req.http.Host == "old.example.org") { set req.http.Host = "shop.example.org"; }
  if (req.url ~ "^/old") { set req.url = regsub(req.url, "^/old", "/new"); }
  if (req.url ~ "^/posted") { return (hash); }
  if (req.url ~ "^/tunnel") { return (pipe); }
  if (req.url ~ "^/shop") { unset req.http.Cookie; }
}
sub vcl_backend_response {
  if (bereq.url ~ "^/never") { return (pass(60s)); }
}
sub vcl_hit {
  if (req.url ~ "^/paid" && req.http.X-Subscriber != "yes") { return (synth(402)); }
  if (req.url ~ "^/asked-again") { return (pass); }
}
`;
const hour = "?cc=max-age%3D3600";
const ip = "127.0.0.1" as Ip;
/** Somebody else at the same address. */
const visitor = { userAgent: "visitor/1" };
const leave = async () => {};

let site: EdgeSite;
let varnish: Varnish;
let dictionary: ReturnType<typeof varnishDictionary>;
const visit = (path: string, options?: Ask) => ask(varnish.port, path, options);
const standard = (path: string, { method = "GET", userAgent = "tester/1" }: Ask = {}) =>
  keyOf(standardFingerprint("shop.example.org", path, method, ip, userAgent ?? ""));
const broad = (userAgent: string) => keyOf(broadFingerprint(ip, userAgent));

/** Exactly these are limited. */
async function limit(...keys: string[]): Promise<void> {
  const there = await dictionary.read(leave);
  const remove = [...there].filter((key) => !keys.includes(key));
  await dictionary.change({ add: keys, remove }, leave);
}

beforeAll(async () => {
  site = await startEdgeSite();
  varnish = await startVarnish(site.port, siteRules);
  dictionary = dictionaryOf({});
});
afterAll(async () => {
  dictionary.close();
  await varnish.stop();
  await site.close();
});
beforeEach(() => {
  site.seen.length = 0;
});

/**
 * State and name of each program, as "active sluice-…". Varnish changes the other columns as requests end, and lists discarded
 * programs until then.
 */
function programs(): string[] {
  const rows = varnish.admin("vcl.list").split("\n");
  return rows.flatMap((row) => {
    const [state, , , , name] = row.trim().split(/\s+/);
    return name === undefined || state === "discarded" ? [] : [`${state} ${name}`];
  });
}

const ownPrograms = () => programs().filter((program) => program.includes(" sluice-"));

function dictionaryOf(other: Partial<Parameters<typeof varnishDictionary>[0]>) {
  const { managementPort: port, secretFile, tableFile, vclFile } = varnish;
  return varnishDictionary({ host: "127.0.0.1", port, secretFile, tableFile, vclFile, ...other });
}

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
    // Varnish would ask the site for it by GET.
    expect((await visit("/foo", { method: "HEAD" })).status).toBe(429);
    expect(site.seen).toEqual([]);
    expect((await visit("/bar")).status).toBe(200);
    expect((await visit("/foo", visitor)).status).toBe(200);
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

  it("still gets what is in the cache", async () => {
    const { body } = await visit(`/shop/cached${hour}`);
    await limit(standard("/shop/cached"), standard("/plain"));
    site.seen.length = 0;
    const served = await visit(`/shop/cached${hour}`);
    expect(served).toMatchObject({ status: 200, body, headers: { "x-sluice-edge": "limited" } });
    expect((await visit(`/shop/cached${hour}`, { method: "HEAD" })).status).toBe(200);
    expect((await visit(`/shop/cached${hour}`, { headers: { cookie: "a=1" } })).body).toBe(body);
    expect((await visit(`/shop/cached${hour}&other`)).status).toBe(429);
    await visit(`/posted${hour}`, visitor);
    await limit(broad("tester/1"));
    site.seen.length = 0;
    expect((await visit(`/shop/cached${hour}`)).body).toBe(body);
    for (const path of [`/shop/cached${hour}`, `/posted${hour}`])
      expect((await visit(path, { method: "POST" })).status).toBe(429);
    expect(site.seen).toEqual([]);
    // The site's own rules let no cookie look into the cache here; a limited client is better off.
    const plain = await visit(`/plain${hour}`, visitor);
    site.seen.length = 0;
    expect((await visit(`/plain${hour}`, { headers: { cookie: "a=1" } })).body).toBe(plain.body);
    expect((await visit(`/plain${hour}`, { headers: { authorization: "Basic dTpw" } })).body).toBe(
      plain.body,
    );
    expect(site.seen).toEqual([]);
  });

  it("gets a stale page, and nobody renews it for them; others wait for a new one", async () => {
    const path = "/stale?cc=max-age%3D1";
    const { body } = await visit(path, visitor);
    await limit(standard("/stale"));
    const stale = await eventually(async () => {
      const answer = await visit(path);
      expect(Number(answer.headers.age)).toBeGreaterThanOrEqual(2);
      return answer;
    });
    expect(stale).toMatchObject({ status: 200, body });
    expect(stale.headers).not.toHaveProperty("x-sluice-grace");
    await site.close();
    expect(await visit(path)).toMatchObject({ status: 200, body });
    expect((await visit("/stale?never-seen")).status).toBe(429);
    expect((await visit(path, visitor)).status).toBe(503);
    await site.open();
    expect(site.seen).toHaveLength(1);
    // For a moment Varnish does not try again what refused it.
    const fresh = await eventually(async () => {
      const answer = await visit(path, visitor);
      expect(answer.status).toBe(200);
      return answer;
    });
    expect(fresh.body).not.toBe(body);
    expect(site.seen).toHaveLength(2);
  });

  it("leaves a page that may be renewed behind its back as it was for others", async () => {
    const path = "/swr?cc=max-age%3D1,stale-while-revalidate%3D60";
    const { body } = await visit(path, visitor);
    await limit(standard("/swr"));
    await eventually(async () => expect(Number((await visit(path)).headers.age)).toBeGreaterThanOrEqual(2));
    expect(site.seen).toHaveLength(1);
    expect((await visit(path, visitor)).body).toBe(body);
    await eventually(() => expect(site.seen).toHaveLength(2));
    await eventually(async () => expect((await visit(path, visitor)).body).not.toBe(body));
  });

  it("gets nothing stale of what must be asked for anew", async () => {
    const path = "/strict?cc=max-age%3D1,must-revalidate";
    await visit(path, visitor);
    await limit(standard("/strict"));
    await eventually(async () => expect((await visit(path)).status).toBe(429));
  });
});

describe("no way around", () => {
  const tries: Record<string, [string, Ask]> = {
    "what is never cached": ["/never", {}],
    cookie: ["/x", { headers: { cookie: "session=1" } }],
    authorization: ["/x", { headers: { authorization: "Basic dTpw" } }],
    "no-cache": ["/x", { headers: { "cache-control": "no-cache", pragma: "no-cache" } }],
    range: ["/x", { headers: { range: "bytes=0-1" } }],
    body: ["/x", { body: "a".repeat(100_000) }],
    HEAD: ["/x", { method: "HEAD" }],
    POST: ["/x", { method: "POST", body: "a=1" }],
    "chunked PUT": ["/x", { method: "PUT", body: "a", headers: { "transfer-encoding": "chunked" } }],
    DELETE: ["/x", { method: "DELETE" }],
    OPTIONS: ["/x", { method: "OPTIONS" }],
    "a method of their own": ["/x", { method: "PROPFIND" }],
    upgrade: ["/x", { headers: { connection: "Upgrade", upgrade: "websocket" } }],
    pipe: ["/tunnel", { headers: { connection: "Upgrade", upgrade: "websocket" } }],
    "another address": ["/x", { headers: { "x-forwarded-for": "203.0.113.9", "x-real-ip": "203.0.113.9" } }],
    "our headers": [
      "/x",
      { headers: { "x-sluice-limited": "", "x-sluice-again": "true", "x-sluice-client": "203.0.113.9" } },
    ],
    "a port": ["/x", { host: "shop.example.org:8080" }],
  };

  it("is left by cookies, methods, tunnels or headers", async () => {
    // A page that was never to be cached is remembered as such.
    for (const path of ["/x", "/never"]) expect((await visit(path)).status).toBe(200);
    await limit(broad("tester/1"));
    site.seen.length = 0;
    const statuses: Record<string, number> = {};
    for (const [name, [path, options]] of Object.entries(tries))
      statuses[name] = (await visit(path, options)).status;
    expect(statuses).toEqual(Object.fromEntries(Object.keys(tries).map((name) => [name, 429])));
    expect(site.seen).toEqual([]);
  });

  it("leads to what the site forbids", async () => {
    const path = `/secret${hour}`;
    await limit();
    expect((await visit(path, { headers: { "x-staff": "yes" } })).status).toBe(200);
    await limit(broad("tester/1"));
    const forged = { cookie: "a=1", "x-sluice-limited": "true", "x-sluice-again": "true" };
    for (const userAgent of ["tester/1", "visitor/1"])
      expect((await visit(path, { userAgent, headers: forged })).status).toBe(403);
    await limit();
  });

  it("leads to a page in the cache that the site's own vcl_hit withholds", async () => {
    const subscriber = { headers: { "x-subscriber": "yes" } };
    await limit();
    const { body } = await visit(`/paid${hour}`, subscriber);
    expect((await visit(`/paid${hour}`)).status).toBe(402);
    await visit(`/asked-again${hour}`);
    await limit(broad("tester/1"));
    site.seen.length = 0;
    const forged = { headers: { cookie: "a=1", "x-sluice-again": "true" } };
    for (const options of [{}, forged]) {
      expect((await visit(`/paid${hour}`, options)).status).toBe(402);
      // A limited client is not passed on to the site either.
      expect((await visit(`/asked-again${hour}`, options)).status).toBe(429);
    }
    expect(await visit(`/paid${hour}`, subscriber)).toMatchObject({ status: 200, body });
    expect(site.seen).toEqual([]);
    await limit();
  });

  it("shows the site nothing but the client's address at the end of X-Forwarded-For", async () => {
    const forged = { "x-forwarded-for": "203.0.113.9", "x-sluice-limited": "true", "x-sluice-again": "true" };
    expect((await visit("/headers", { headers: forged, from: "127.0.0.3" })).status).toBe(200);
    expect(site.seen[0]?.headers["x-forwarded-for"]).toBe("203.0.113.9, 127.0.0.3");
    expect(Object.keys(site.seen[0]?.headers ?? {}).filter((name) => name.includes("sluice"))).toEqual([]);
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

it("takes host and path as the site's own rules have made them, for so the nodes count them", async () => {
  await limit(standard("/new"));
  const aliases: Ask = { host: "old.example.org" };
  expect((await visit("/old", aliases)).status).toBe(429);
  expect((await visit("/new")).status).toBe(429);
  await limit(standard("/old"));
  expect((await visit("/old", aliases)).status).toBe(200);
  expect(site.seen.map(({ url, headers }) => [headers.host, url])).toEqual([["shop.example.org", "/new"]]);
});

describe("the table", () => {
  it("holds 10,000 keys, and finds each of them", async () => {
    const took: Record<number, number> = {};
    for (const count of [1_000, 10_000]) {
      await limit();
      const startedAt = performance.now();
      await dictionary.change({ add: manyKeys(count), remove: [] }, leave);
      took[count] = Math.round(performance.now() - startedAt);
      expect(await dictionary.read(leave)).toEqual(new Set(manyKeys(count)));
    }
    console.info("varnish: ms to load as many keys", took);
    const some = edgeFingerprints.map(({ standard }) => keyOf(standard));
    await dictionary.change({ add: some, remove: manyKeys(100) }, leave);
    expect((await dictionary.read(leave)).size).toBe(9_900 + some.length);
    for (const { path, ask: options } of edgeFingerprints)
      expect((await visit(path, options)).status, path).toBe(429);
    expect((await visit("/somebody-else")).status).toBe(200);
    await limit();
  });

  it("takes the same again, and what is not there, as done", async () => {
    const [one = "", other = ""] = manyKeys(2);
    await limit(one);
    const before = programs();
    await dictionary.change({ add: [one], remove: [other] }, leave);
    expect(programs()).toEqual(before);
    expect(await dictionary.read(leave)).toEqual(new Set([one]));
  });

  it("leaves no old program and no draft behind, and no connection open", async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name.startsWith("TCP")).length;
    const before = sockets();
    for (const key of manyKeys(3)) await limit(key);
    expect(ownPrograms()).toHaveLength(1);
    expect(readdirSync(varnish.folder).sort()).toEqual(
      ["secret", "site.vcl", "sluice-table.vcl", "sluice.vcl", "work"].sort(),
    );
    await eventually(() => expect(sockets()).toBeLessThanOrEqual(before));
  });

  it("tells what is in force when somebody else has written, and after a restart", async () => {
    const [ours = "", theirs = "", unloaded = ""] = manyKeys(3);
    await limit(ours);
    const text = readFileSync(varnish.tableFile, "utf8");
    // Same first digit, so that the key stands where the table looks for it.
    const sibling = `${ours[0]}${theirs.slice(1)}`;
    writeFileSync(varnish.tableFile, text.replace(ours, `${ours}\n${sibling}`));
    expect(await dictionary.read(leave)).toEqual(new Set([ours]));
    varnish.admin("vcl.load", "by-hand", varnish.vclFile);
    varnish.admin("vcl.use", "by-hand");
    expect(await dictionary.read(leave)).toEqual(new Set([ours, sibling]));
    await limit(ours);
    expect(await dictionary.read(leave)).toEqual(new Set([ours]));
    await varnish.restart();
    expect(await dictionary.read(leave)).toEqual(new Set([ours]));
    writeFileSync(varnish.tableFile, text.replace(ours, `${ours[0]}${unloaded.slice(1)}`));
    await varnish.restart();
    expect(await dictionary.read(leave)).toEqual(new Set([`${ours[0]}${unloaded.slice(1)}`]));
    await limit();
    expect((await visit("/foo")).status).toBe(200);
  });

  it("takes nothing but keys into what Varnish compiles", async () => {
    const bad = `"}, "") || true) { set req.http.X-Sluice-Limited = "true"; } #`;
    await dictionary.change({ add: [bad, "A".repeat(40), "", ...manyKeys(1)], remove: [] }, leave);
    expect(await dictionary.read(leave)).toEqual(new Set(manyKeys(1)));
    expect(readFileSync(varnish.tableFile, "utf8")).not.toContain("true) {");
    await limit();
  });
});

describe("in words", () => {
  const refusal = async (other: Partial<Parameters<typeof varnishDictionary>[0]>) => {
    const changing = dictionaryOf(other).change({ add: manyKeys(1, 7), remove: [] }, leave);
    return changing.then(
      () => "it worked",
      (error: unknown) => (error instanceof EdgeError ? error.message : `not for people: ${error}`),
    );
  };

  it("says that the secret is wrong, or cannot be read, and does not show it", async () => {
    const wrong = join(varnish.folder, "wrong");
    writeFileSync(wrong, "tell nobody\n");
    expect(await refusal({ secretFile: wrong })).toBe(
      `Varnish at 127.0.0.1:${varnish.managementPort} does not accept the secret in ${wrong}. Name the file that varnishd got with -S.`,
    );
    rmSync(wrong);
    expect(await refusal({ secretFile: wrong })).toBe(
      `Varnish's secret cannot be read from ${wrong}: ENOENT.`,
    );
  });

  it("says that nobody answers, and waits no longer than it must", async () => {
    const port = await freePort();
    expect(await refusal({ port })).toBe(
      `No process listens at 127.0.0.1:${port}. Start Varnish with -T 127.0.0.1:${port}.`,
    );
    const hung = createServer().listen(port, "127.0.0.1");
    const startedAt = performance.now();
    expect(await refusal({ port })).toBe(`Varnish at 127.0.0.1:${port} did not answer within 2 s.`);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    await new Promise((resolve) => hung.close(resolve));
    const web = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    await new Promise<void>((resolve) => web.listen(port, "127.0.0.1", () => resolve()));
    expect(await refusal({ port })).toBe(
      `The service at 127.0.0.1:${port} is not Varnish's management port.`,
    );
    await new Promise((resolve) => web.close(resolve));
  });

  it("says why the site's VCL does not compile, and the old table stays in force and on disk", async () => {
    await limit(standard("/foo"));
    const good = readFileSync(varnish.vclFile, "utf8");
    const table = readFileSync(varnish.tableFile, "utf8");
    writeFileSync(
      varnish.vclFile,
      `${good}\nsub vcl_recv { set req.http.password = "hunter2" + nonsense; }\n`,
    );
    const words = await refusal({});
    writeFileSync(varnish.vclFile, good);
    expect(words).toContain(`Varnish cannot compile ${varnish.vclFile}, and keeps its program: `);
    expect(words).toContain("nonsense");
    expect(words).not.toContain("hunter2");
    expect((await visit("/foo")).status).toBe(429);
    expect(await dictionary.read(leave)).toEqual(new Set([standard("/foo")]));
    expect(readFileSync(varnish.tableFile, "utf8")).toBe(table);
    await limit();
  });

  it("says that it cannot write, and that it writes where Varnish does not read", async () => {
    const nowhere = join(varnish.folder, "nowhere", "table.vcl");
    expect(await refusal({ tableFile: nowhere })).toBe(
      `The table cannot be written to ${nowhere}: ENOENT. Sluice must be able to write to its folder.`,
    );
    const aside = join(varnish.folder, "aside.vcl");
    expect(await refusal({ tableFile: aside })).toContain(`does not include ${aside} as Sluice wrote it`);
    rmSync(aside);
    expect(ownPrograms()).toHaveLength(1);
  });

  it("leaves another program alone that staff have switched to", async () => {
    const other = join(varnish.folder, "other.vcl");
    writeFileSync(other, "vcl 4.1; backend default none;");
    varnish.admin("vcl.load", "emergency", other);
    varnish.admin("vcl.use", "emergency");
    const words = `Varnish runs ${other}, which does not include sluice.vcl. Include it, and reload Varnish.`;
    expect(await refusal({})).toBe(words);
    writeFileSync(other, readFileSync(varnish.vclFile));
    varnish.admin("vcl.load", "rolled-back", other);
    varnish.admin("vcl.use", "rolled-back");
    expect(await refusal({})).toBe(
      `Varnish runs ${other}, but SLUICE_EDGE names ${varnish.vclFile}. Nothing was changed.`,
    );
    expect(varnish.admin("vcl.list")).toMatch(/^active .* rolled-back/m);
    rmSync(other);
    await varnish.restart();
  });

  it("lets go when it is closed, and may be used again", async () => {
    const hung = createServer().listen(0, "127.0.0.1");
    await once(hung, "listening");
    const { port } = hung.address() as AddressInfo;
    const one = dictionaryOf({ port });
    const reading = one.read(leave).catch((error: Error) => error.message);
    await once(hung, "connection");
    one.close();
    expect(await reading).toBe(`The connection to Varnish at 127.0.0.1:${port} was closed.`);
    await new Promise((resolve) => hung.close(resolve));
    dictionary.close();
    expect(await dictionary.read(leave)).toEqual(new Set());
  });
});
