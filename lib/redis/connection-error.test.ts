import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectControl, connectCounters, lastErrorOf } from "./connect.ts";
import { describeConnectionError, safeTargetName } from "./connection-error.ts";
import { eventually, freePort, startRedis, type TestRedis } from "./testing.ts";
import { startSentinelSet } from "./testing-topologies.ts";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** What is said of the first failure of a connection to this address. */
async function described(address: string): Promise<string> {
  const connection = address.includes(",")
    ? connectCounters(address, "promptly")
    : connectControl(address, "promptly");
  open.push(() => connection.disconnect());
  const error = await eventually(() => {
    const last = lastErrorOf(connection);
    if (!last) throw new Error("no error yet");
    return last;
  });
  const text = describeConnectionError(error, safeTargetName(address));
  expect(text).not.toContain("s3cret");
  return text;
}

const at = (port: number, { user = "", scheme = "redis", path = "" } = {}) =>
  `${scheme}://${user && `${user}@`}127.0.0.1:${port}${path}`;

describe("an answer of Redis", () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await startRedis();
    await server.client.acl("SETUSER", "reader", "on", ">s3cret", "~*", "+get");
    await server.client.acl("SETUSER", "open", "on", ">s3cret", "~*", "+@all");
    await server.client.config("SET", "requirepass", "right");
  });
  afterAll(() => server.stop());

  it("is a wrong password", async () => {
    expect(await described(at(server.port, { user: ":s3cret" }))).toBe(
      `Redis at 127.0.0.1:${server.port} rejected the user name or the password (WRONGPASS). Check both in the address.`,
    );
  });

  it("is a missing password", async () => {
    expect(await described(at(server.port))).toContain(
      `127.0.0.1:${server.port} requires a password (NOAUTH)`,
    );
  });

  it("is a wrong password on a cluster", async () => {
    expect(await described(`${at(server.port, { user: ":s3cret" })},127.0.0.1:${server.port}`)).toContain(
      `Redis at 127.0.0.1:${server.port},127.0.0.1:${server.port} rejected the user name or the password`,
    );
  });

  it("is a server without cluster support", async () => {
    const address = `${at(server.port, { user: ":right" })},127.0.0.1:${server.port}`;
    expect(await described(address)).toContain("is not a cluster");
  });

  it("is a database that does not exist, and no other database is used instead", async () => {
    const address = at(server.port, { user: "open:s3cret", path: "/99" });
    expect(await described(address)).toContain("has no database 99");
    const connection = connectControl(address, "promptly");
    open.push(() => connection.disconnect());
    const statuses: string[] = [];
    connection.on("ready", () => statuses.push("ready"));
    connection.on("reconnecting", () => statuses.push("reconnecting"));
    await eventually(() => expect(statuses.length).toBeGreaterThan(2));
    expect(statuses).not.toContain("ready");
  });

  it("is an account without the right to choose a database", async () => {
    expect(await described(at(server.port, { user: "reader:s3cret", path: "/3" }))).toContain(
      "does not allow this account to use database 3 (NOPERM)",
    );
  });

  it("is an account without the right to run a command", async () => {
    const reader = new Redis(at(server.port, { user: "reader:s3cret" }), { enableReadyCheck: false });
    open.push(() => reader.disconnect());
    const error: Error = await reader.client("TRACKING", "ON").then(
      () => new Error("allowed"),
      (cause) => cause,
    );
    expect(describeConnectionError(error, "cache:6379")).toBe(
      "Redis at cache:6379 does not allow this account to run CLIENT TRACKING (NOPERM). Grant it in the ACL of the account.",
    );
  });

  it("is forgotten once the server has answered", async () => {
    const connection = connectControl(at(server.port, { user: "late:s3cret" }), "promptly");
    open.push(() => connection.disconnect());
    await eventually(() => expect(lastErrorOf(connection)?.message).toContain("WRONGPASS"));
    await server.client.acl("SETUSER", "late", "on", ">s3cret", "~*", "+@all");
    await eventually(() => expect(connection.status).toBe("ready"));
    await eventually(() => expect(lastErrorOf(connection)).toBeUndefined());
  });

  it("is that there are too many clients", () => {
    // Real servers answer, and hang up so fast that the answer may be lost.
    const error = new Error("ERR max number of clients reached");
    expect(describeConnectionError(error, "cache:6379")).toContain("accepts no more connections");
  });
});

describe("TLS", () => {
  let folder: string;
  let plain: TestRedis;
  let port: number;
  let server: TestRedis;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "sluice-tls-"));
    const [key, certificate] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const words = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=other.example -keyout ${key} -out ${certificate}`;
    execFileSync("openssl", [...words.split(" "), "-addext", "subjectAltName=DNS:other.example"], {
      stdio: "ignore",
    });
    port = await freePort();
    const files = ["--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", certificate];
    [plain, server] = await Promise.all([
      startRedis(),
      startRedis("--tls-port", String(port), "--tls-auth-clients", "no", ...files),
    ]);
  });
  afterAll(async () => {
    await Promise.all([plain.stop(), server.stop()]);
    rmSync(folder, { recursive: true });
  });

  it("is asked of a port without it", async () => {
    expect(await described(at(plain.port, { scheme: "rediss" }))).toMatch(
      /^There was no TLS handshake with 127\.0\.0\.1:\d+ \(ETIMEDOUT\).*use redis:\/\/\.$/,
    );
  });

  it("is missing where the port requires it", async () => {
    expect(await described(at(port))).toMatch(
      /closed the connection before it answered\..*use rediss:\/\/\.$/,
    );
  });

  it("has a certificate that is not trusted", async () => {
    expect(await described(at(port, { scheme: "rediss" }))).toContain(
      `The certificate of Redis at 127.0.0.1:${port} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Set NODE_EXTRA_CA_CERTS`,
    );
  });

  it("has a certificate for another name", async () => {
    const text = await new Promise<string>((resolve) => {
      const redis = new Redis({
        port,
        host: "127.0.0.1",
        tls: { ca: readFileSync(join(folder, "cert.pem")) },
      });
      open.push(() => redis.disconnect());
      redis.on("error", (error: Error) => resolve(describeConnectionError(error, "127.0.0.1:1")));
    });
    expect(text).toBe(
      "The certificate of Redis at 127.0.0.1:1 is for another host name. Use a name that the certificate covers.",
    );
  });

  it("requires a certificate of the client", async () => {
    await server.client.config("SET", "tls-auth-clients", "yes");
    const own = new Redis({ port, host: "127.0.0.1", lazyConnect: true, tls: { rejectUnauthorized: false } });
    own.on("error", () => {});
    const connection = connectControl(own, "promptly");
    open.push(() => connection.disconnect());
    const error = await eventually(() => nonNull(lastErrorOf(connection)));
    expect(describeConnectionError(error, safeTargetName(own))).toMatch(
      new RegExp(`^Redis at 127\\.0\\.0\\.1:${port} .*certificate of the client`),
    );
  });
});

describe("the way to Redis", () => {
  it("has no server at its end", async () => {
    const port = await freePort();
    expect(await described(at(port, { user: "ada:s3cret" }))).toBe(
      `Nothing accepts connections at 127.0.0.1:${port} (ECONNREFUSED). Check that Redis is running, its bind address and its port.`,
    );
  });

  it("has a host name that does not exist", async () => {
    expect(await described("redis://:s3cret@no-such-host.invalid:6380")).toMatch(
      /^The host name in no-such-host\.invalid:6380 (does not exist \(ENOTFOUND\)|cannot be resolved)/,
    );
  });

  it("has a socket that does not exist", async () => {
    expect(await described("/no/such/redis.sock")).toBe(
      "There is no socket /no/such/redis.sock (ENOENT). Check the path, and that Redis is running.",
    );
  });

  it("ends at another kind of server", async () => {
    const other = await serve((socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    expect(await described(at(other))).toContain("does not answer as Redis does");
  });

  it("ends at a server that hangs up", async () => {
    const other = await serve((socket) => void socket.resetAndDestroy());
    expect(await described(at(other))).toContain("closed the connection before it answered");
  });

  it("takes too long, or there is none", () => {
    const coded = (code: string) => Object.assign(new Error(`connect ${code}`), { code });
    expect(describeConnectionError(coded("ETIMEDOUT"), "10.0.0.1:6379")).toMatch(
      /^10\.0\.0\.1:6379 does not answer \(ETIMEDOUT\)/,
    );
    expect(describeConnectionError(coded("EHOSTUNREACH"), "10.0.0.1:6379")).toMatch(
      /^There is no route to 10\.0\.0\.1:6379 \(EHOSTUNREACH\)/,
    );
    // Of a name with several addresses, where each was tried.
    const all = Object.assign(new AggregateError([coded("ECONNREFUSED")], ""), { code: "ECONNREFUSED" });
    expect(describeConnectionError(all, "localhost:6379")).toMatch(/^Nothing accepts connections/);
  });
});

it("tells what Sentinel says, and what the master behind it says", { timeout: 60_000 }, async () => {
  const set = await startSentinelSet();
  try {
    const other = set.url.replace("/house", "/barn");
    expect(await described(other)).toBe(
      `Sentinel at ${other.slice("redis+sentinel://".length)} knows no master of this name. Check the name at the end of the address.`,
    );
    await set.master.client.config("SET", "requirepass", "right");
    expect(await described(set.url.replace("//", "//:s3cret@"))).toContain(
      "rejected the user name or the password",
    );
  } finally {
    await set.stop();
  }
});

it("cuts what it does not know to one line, without a password", () => {
  const text = describeConnectionError(
    new Error(`strange at redis://ada:s3cret@cache:1 ${"x".repeat(500)}\nsecond line`),
    "cache:1",
  );
  expect(text).toMatch(/^Redis at cache:1 failed: strange at redis:\/\/cache:1 x+\.$/);
  expect(text.length).toBeLessThan(250);
});

describe("the name of a place", () => {
  it.each([
    ["redis://ada:s3cret@cache.example/3", "cache.example:6379"],
    ["rediss://:s3cret@[2001:db8::1]:6380", "[2001:db8::1]:6380"],
    ["/run/redis.sock", "/run/redis.sock"],
    [
      "redis+sentinel://:s3cret@10.0.0.1,[2001:db8::1]:26380/house/2",
      "10.0.0.1:26379,[2001:db8::1]:26380/house",
    ],
    ["redis://:s3cret@a:1,b:2", "a:1,b:2"],
  ])("of %s has no secret", (address, name) => {
    expect(safeTargetName(address)).toBe(name);
  });

  it("is also read from an instance", () => {
    const lazy = { lazyConnect: true, password: "s3cret" };
    const sentinels = [{ host: "10.0.0.1", port: 26379 }];
    expect(safeTargetName(new Redis({ ...lazy, host: "::1", port: 6380 }))).toBe("[::1]:6380");
    expect(safeTargetName(new Redis({ ...lazy, path: "/run/redis.sock" }))).toBe("/run/redis.sock");
    expect(safeTargetName(new Redis({ ...lazy, sentinels, name: "house" }))).toBe("10.0.0.1:26379/house");
    expect(safeTargetName(new Redis(lazy))).toBe("localhost:6379");
  });
});

/** A server that answers in its own way, on a free port. */
async function serve(answer: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => answer(socket));
  }).listen(0, "127.0.0.1");
  open.push(() => server.close());
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

function nonNull<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("nothing yet");
  return value;
}
