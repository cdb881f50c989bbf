import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { protectedRanges } from "@/lib/enforce/lists/protected.ts";
import { isCanonical } from "@/lib/ip/parse.ts";
import { sealFrom } from "@/lib/manage/audit/seal.ts";
import { addEntries } from "@/lib/manage/lists/add.ts";
import { removeEntries } from "@/lib/manage/lists/remove.ts";
import { createToken } from "@/lib/manage/tokens/create-token.ts";
import { eventually, freePort, startRedis, type TestRedis } from "@/lib/redis/testing.ts";
import { ensureBuilt } from "@/scripts/build-app.mjs";
import { startConsole } from "../fixtures/console.ts";
import { secret as seal } from "../fixtures/policy.ts";
import type { Served } from "../fixtures/server.ts";

const ends: (() => unknown)[] = [];
let redis: TestRedis;
let sluice: Served;
let key: string;
let folder: string;

beforeAll(async () => {
  await ensureBuilt();
  redis = await startRedis();
  ends.push(() => redis.stop());
  sluice = await startConsole({ REDIS_URL: redis.url });
  ends.push(() => sluice.stop());
  ({ secret: key } = await createToken(context(), { name: "bouncers", scopes: ["read"], expiresInMs: null }));
  folder = mkdtempSync(join(tmpdir(), "sluice-crowdsec-"));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
}, 300_000);

afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

function context() {
  return {
    ...{ redis: redis.client, seal: sealFrom(seal), actor: { name: "ada@example.org", via: "console" } },
    protectedRanges: protectedRanges({ trustedProxies: [], neverBlock: [] }),
  };
}

const named = (addresses: readonly string[]) => addresses.filter(isCanonical);
const block = (...addresses: string[]) =>
  addEntries(context(), {
    list: "blocklist",
    addresses: named(addresses),
    reason: "scraper",
    ttlMs: 3_600_000,
  });
const safelist = (...addresses: string[]) =>
  addEntries(context(), { list: "safelist", addresses: named(addresses), reason: "", ttlMs: 3_600_000 });
const remove = (list: "blocklist" | "safelist", ...addresses: string[]) =>
  removeEntries(context(), { list, addresses: named(addresses), reason: "" });
const clear = async () => {
  for (const list of ["blocklist", "safelist"] as const) {
    const held = await redis.client.keys(`${list}:*`);
    if (held.length > 0) await remove(list, ...held.map((name) => name.slice(list.length + 1)));
  }
};

/** What both bouncers have in their file of settings. */
const settings = (place: string, url: string) => `
update_frequency: 1s
daemonize: false
log_mode: stdout
log_level: info
log_dir: ${place}
pid_dir: ${place}
piddir: ${place}
api_url: ${url}/
api_key: ${key}
insecure_skip_verify: false
prometheus:
  enabled: false
  listen_addr: 127.0.0.1
  listen_port: "60601"
`;

interface RunningBouncer {
  readonly pid: number;
  said(): string;
  stop(): Promise<void>;
}

function start(program: string, words: readonly string[]): RunningBouncer {
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  const stop = () => end(child);
  ends.push(stop);
  return { pid: child.pid ?? 0, said: () => output, stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  const hard = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await gone;
  clearTimeout(hard);
}

describe("crowdsec-custom-bouncer", () => {
  /** Appends each call: what to do, and with which address. */
  function program(place: string): { readonly path: string; calls(): string[] } {
    const [path, calls] = [join(place, "calls.sh"), join(place, "calls")];
    writeFileSync(path, `#!/bin/sh\necho "$1 $2 $3 $4" >> ${calls}\n`);
    chmodSync(path, 0o755);
    return { path, calls: () => (existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : []) };
  }

  function startCustom(name: string) {
    const place = join(folder, name);
    mkdirSync(place);
    const { path, calls } = program(place);
    const file = join(place, "bouncer.yaml");
    const more = `bin_path: ${path}\nfeed_via_stdin: false\ntotal_retries: 0\ncache_retention_duration: 1s\n`;
    writeFileSync(file, more + settings(place, sluice.url));
    return { ...start("crowdsec-custom-bouncer", ["-c", file]), calls };
  }

  it("adds and removes what the blocklist says, without safelisted addresses", async () => {
    await clear();
    await block("203.0.113.9", "198.51.100.0/30");
    await safelist("198.51.100.2");
    const bouncer = startCustom("custom");
    const added = () => bouncer.calls().filter((call) => call.startsWith("add"));
    await eventually(() => expect(added(), bouncer.said()).toHaveLength(3), 20_000);
    const first = added().map((call) => call.split(" "));
    expect(first.map(([, value]) => value).sort()).toEqual([
      "198.51.100.0/31",
      "198.51.100.3",
      "203.0.113.9",
    ]);
    for (const [, , seconds, scenario] of first) {
      expect(Number(seconds)).toBeGreaterThan(3_500);
      expect(Number(seconds)).toBeLessThanOrEqual(3_600);
      expect(scenario).toBe("scraper");
    }
    await remove("blocklist", "203.0.113.9");
    await block("203.0.113.10");
    await eventually(() => {
      expect(bouncer.calls().some((call) => call.startsWith("del 203.0.113.9 "))).toBe(true);
      expect(bouncer.calls().some((call) => call.startsWith("add 203.0.113.10 "))).toBe(true);
    }, 20_000);
    await bouncer.stop();
    await remove("blocklist", "203.0.113.10");
    const again = startCustom("custom-again");
    await eventually(() => {
      const calls = again.calls().map((call) => call.split(" ").slice(0, 2).join(" "));
      expect(calls.filter((call) => call.startsWith("add")).sort()).toEqual([
        "add 198.51.100.0/31",
        "add 198.51.100.3",
      ]);
    }, 20_000);
    await again.stop();
  }, 120_000);

  it("is refused with a wrong key", async () => {
    const correct = key;
    key = `slc_${"a".repeat(43)}`;
    const bouncer = startCustom("custom-wrong");
    key = correct;
    await eventually(() => expect(bouncer.said()).toMatch(/403|unknown, or was revoked/), 20_000);
    await bouncer.stop();
  }, 60_000);
});

/** The firewall of this machine stays as it is: the bouncer has a network of its own, and reaches the console by a relay. */
const canIsolate = (() => {
  try {
    execFileSync("unshare", ["--net", "nft", "add", "table", "ip", "sluice-probe"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!canIsolate)("crowdsec-firewall-bouncer", () => {
  it("keeps nftables at what the blocklist says", async () => {
    await clear();
    await block("203.0.113.9", "2001:db8::9");
    const place = join(folder, "firewall");
    mkdirSync(place);
    const port = await freePort();
    const socket = await socketToConsole(join(place, "socket"));
    const file = join(place, "bouncer.yaml");
    writeFileSync(file, `${firewall}${settings(place, `http://127.0.0.1:${port}`)}`);
    const relay = fileURLToPath(new URL("../fixtures/relay.mjs", import.meta.url));
    const script = 'ip link set lo up && exec "$@"';
    const words = [process.execPath, relay, String(port), socket, "crowdsec-firewall-bouncer", "-c", file];
    const bouncer = start("unshare", ["--net", "sh", "-c", script, "sh", ...words]);
    const banned = (family: string, set: string) => {
      const inside = ["-t", String(bouncer.pid), "--net", "nft", "list", "set", family, ...set.split(" ")];
      return execFileSync("nsenter", inside, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    };
    const v4 = () => banned("ip", "crowdsec crowdsec-blacklists");
    const v6 = () => banned("ip6", "crowdsec6 crowdsec6-blacklists");
    await eventually(() => {
      expect(v4(), bouncer.said()).toMatch(/203\.0\.113\.9 timeout (1h|59m)/);
      expect(v6()).toContain("2001:db8::9 timeout");
    }, 30_000);
    await remove("blocklist", "203.0.113.9");
    await block("203.0.113.10");
    await safelist("2001:db8::9");
    await eventually(() => {
      expect(v4()).toContain("203.0.113.10 timeout");
      expect(v4()).not.toContain("203.0.113.9 ");
      expect(v6()).not.toContain("2001:db8::9");
    }, 30_000);
    await bouncer.stop();
  }, 120_000);
});

const firewall = `
mode: nftables
disable_ipv6: false
deny_action: DROP
deny_log: false
blacklists_ipv4: crowdsec-blacklists
blacklists_ipv6: crowdsec6-blacklists
nftables:
  ipv4: { enabled: true, set-only: false, table: crowdsec, chain: crowdsec-chain }
  ipv6: { enabled: true, set-only: false, table: crowdsec6, chain: crowdsec6-chain }
`;

/** A Unix socket to the console: processes of another network reach it as a file. */
async function socketToConsole(path: string): Promise<string> {
  const port = Number(new URL(sluice.url).port);
  const server = createServer((client) => {
    const console = connect(port, "127.0.0.1");
    client.on("error", () => console.destroy());
    console.on("error", () => client.destroy());
    client.pipe(console).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  ends.push(() => void server.close());
  return path;
}
