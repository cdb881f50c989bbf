import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DomainError } from "../../errors.ts";
import { type FetchedSource, fetchSource } from "./fetch-source.ts";
import { type Source, startSource } from "./vitest.source.ts";

let source: Source;
beforeAll(async () => {
  source = await startSource();
});
afterAll(() => source.stop());

const local = () => ({ folder: source.folder, ca: source.ca, privateHosts: ["localhost", "127.0.0.1"] });
const fresh = { etag: null, lastModified: null };

async function read(url: string, terms = {}, settings = {}): Promise<string> {
  const found = await fetchSource(
    { kind: "url", url, header: "X-Key" },
    { ...fresh, ...terms },
    { ...local(), ...settings },
  );
  return textOf(found);
}

async function textOf(found: FetchedSource): Promise<string> {
  if (found.is === "unchanged") return "unchanged";
  let text = "";
  for await (const piece of found.pieces) text += piece;
  return text;
}

describe("a feed's source", () => {
  it("is read, with its validators, and with its API key", async () => {
    source.serve("/list", (request, response) => {
      expect(request.headers["x-key"]).toBe("secret");
      response.setHeader("etag", '"1"');
      if (request.headers["if-none-match"] === '"1"') response.writeHead(304).end();
      else response.end("203.0.113.7\n");
    });
    expect(await read(source.url("/list"), { apiKey: "secret" })).toBe("203.0.113.7\n");
    expect(await read(source.url("/list"), { apiKey: "secret", etag: '"1"' })).toBe("unchanged");
  });

  it("is refused on this machine and in private networks, by name, by address and by a redirect", async () => {
    const settings = { privateHosts: [] };
    await expect(read(source.url("/list"), {}, settings)).rejects.toThrow(
      /localhost.*(127\.0\.0\.1|::1) \(loopback\)/,
    );
    for (const host of [
      "127.0.0.1",
      "[::1]",
      "10.0.0.1",
      "169.254.169.254",
      "[fd00::1]",
      "[::ffff:127.0.0.1]",
    ])
      await expect(read(`https://${host}:${source.port}/`, {}, settings)).rejects.toThrow(
        "public addresses alone",
      );
  });

  it("is refused where a redirect leads to this machine, or to a private network", async () => {
    const settings = { privateHosts: ["localhost"] };
    for (const host of ["127.0.0.1", "[::1]", "10.0.0.1", "169.254.169.254"]) {
      const location = `https://${host}:${source.port}/there`;
      source.serve("/inside", (_, response) => response.writeHead(302, { location }).end());
      source.requests.length = 0;
      await expect(read(source.url("/inside"), {}, settings)).rejects.toThrow("public addresses alone");
      expect(source.requests).toHaveLength(1);
    }
  });

  it("is followed through redirects, without its key to another host, and only to https", async () => {
    source.serve("/away", (_, response) =>
      response.writeHead(302, { location: `https://127.0.0.1:${source.port}/there` }).end(),
    );
    source.serve("/there", (request, response) => response.end(`key: ${request.headers["x-key"] ?? "none"}`));
    expect(await read(source.url("/away"), { apiKey: "secret" })).toBe("key: none");
    source.serve("/plain", (_, response) =>
      response.writeHead(301, { location: "http://localhost/x" }).end(),
    );
    await expect(read(source.url("/plain"))).rejects.toThrow("without https");
    source.serve("/round", (_, response) => response.writeHead(301, { location: "/round" }).end());
    await expect(read(source.url("/round"))).rejects.toThrow("more than 3 times");
  });

  it("is given up where it is too long, whether it says so or not, or too slow", async () => {
    source.serve("/long", (_, response) =>
      response.writeHead(200, { "content-length": 2_000_000_000 }).write("x"),
    );
    await expect(read(source.url("/long"))).rejects.toThrow("more than 64 MB");
    source.serve("/endless", (_, response) => {
      const write = () => {
        while (!response.destroyed && response.write("203.0.113.7\n".repeat(1_000)));
      };
      response.on("drain", write);
      write();
    });
    await expect(read(source.url("/endless"), {}, { mostBytes: 1_000_000 })).rejects.toThrow(
      "sends more than",
    );
    source.serve("/drip", (_, response) => response.write("203.0.113.7\n"));
    await expect(read(source.url("/drip"), {}, { withinMs: 200 })).rejects.toThrow("in time");
    source.serve("/silent", () => {});
    await expect(read(source.url("/silent"), {}, { withinMs: 200 })).rejects.toThrow("in time");
  });

  it("fails with its cause", async () => {
    await expect(read(source.url("/missing"))).rejects.toThrow("HTTP 404 from localhost");
    await expect(read(source.url("/list"), {}, { ca: undefined })).rejects.toThrow(/certificate/);
    source.serve("/packed", (_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end("x"),
    );
    await expect(read(source.url("/packed"))).rejects.toThrow("compressed");
    source.serve("/cut", (_, response) => {
      response.writeHead(200, { "content-length": 100 }).write("203.0.113.7\n");
      setImmediate(() => response.destroy());
    });
    await expect(read(source.url("/cut"))).rejects.toThrow("cannot be read");
  });

  it("is a file of one folder alone, read again when it has changed", async () => {
    const path = source.file("list.txt", "203.0.113.7\n");
    const found = await fetchSource({ kind: "file", path }, fresh, local());
    expect(found.is).toBe("new");
    const lastModified = found.is === "new" ? found.lastModified : null;
    const again = () => fetchSource({ kind: "file", path }, { ...fresh, lastModified }, local());
    expect((await again()).is).toBe("unchanged");
    source.file("list.txt", "203.0.113.7\n203.0.113.8\n");
    expect((await again()).is).toBe("new");
    for (const outside of ["/etc/hostname", `${source.folder}/../../etc/hostname`])
      await expect(fetchSource({ kind: "file", path: outside }, fresh, local())).rejects.toThrow(
        /is not in|no such/,
      );
    await expect(
      fetchSource({ kind: "file", path: `${source.folder}/none.txt` }, fresh, local()),
    ).rejects.toThrow("no such file");
  });

  it("fails with its cause where a file turns out to be unreadable", async () => {
    const path = join(source.folder, "folder");
    mkdirSync(path);
    await expect(fetchSource({ kind: "file", path }, fresh, local())).rejects.toThrow("is no file");
    const gone = source.file("gone.txt", "203.0.113.7\n");
    const found = await fetchSource({ kind: "file", path: gone }, fresh, local());
    rmSync(gone);
    const error = await textOf(found).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DomainError);
    expect(String(error)).toContain("there is no such file");
  });
});
