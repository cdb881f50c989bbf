import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parseReferenceKeys, referenceKeyOf } from "../../enforce/references/keys.ts";
import { sendEvidence } from "../../enforce/stats/report.ts";
import { blockOf, type Ip } from "../../ip/parse.ts";
import { ensureReferenceKey } from "../../manage/references/reference-keys.ts";
import { keys } from "../../redis/keys.ts";
import { commands } from "../commands.ts";
import { sluice as run } from "../testing.ts";
import { testOverApi } from "./vitest.over-api.ts";

vi.mock("next/headers", () => ({}));
vi.mock("next/navigation", () => ({}));

/** The console's, not the command's. */
const folder = mkdtempSync(join(tmpdir(), "sluice-over-api-"));
beforeAll(() => vi.stubEnv("SLUICE_FEED_FILES", folder));
afterAll(() => rmSync(folder, { recursive: true }));

const test = testOverApi();
const { api, sluice } = test;
const policyText = (limit: number) =>
  JSON.stringify({
    mode: "enforce",
    rules: [{ name: "login", client: "ip", algorithm: "fixed", levels: [{ limit, periodSeconds: 60 }] }],
    tiers: { pro: { levels: [{ limit: 100, periodSeconds: 60 }] } },
  });
const login = (limit: number) =>
  JSON.stringify({ name: "login", client: "ip", algorithm: "fixed", levels: [{ limit, periodSeconds: 60 }] });

describe("sluice policy, over the API", () => {
  it("shows, compares, previews and saves, as the token", async () => {
    expect((await sluice("policy show")).stdout).toContain("Version 0");
    const differs = await sluice("policy diff - --exit-code", { stdin: policyText(10) });
    expect([differs.exit, differs.stdout]).toEqual([1, expect.stringContaining("would change version 0")]);
    const dry = await sluice("policy set - --dry-run", { stdin: policyText(10) });
    expect([dry.exit, dry.stdout]).toEqual([0, expect.stringContaining("Nothing was written")]);
    const saved = await sluice(["policy", "set", "-", "--reason", "deploy 7"], { stdin: policyText(10) });
    expect([saved.exit, saved.stdout]).toEqual([0, expect.stringContaining("Version 1 is saved")]);
    expect((await sluice("policy diff - --exit-code", { stdin: policyText(10) })).exit).toBe(0);
    expect(await api.records()).toMatchObject([{ actor: "token:deploy", via: "api", reason: "deploy 7" }]);
    const shown = await sluice("policy show --json");
    expect(JSON.parse(shown.stdout)).toMatchObject({ version: 1, by: "token:deploy", reason: "deploy 7" });
  });

  it("adds and changes one rule, and rolls back", async () => {
    expect((await sluice("policy add -", { stdin: login(5) })).exit).toBe(0);
    expect((await sluice("policy add - --replace", { stdin: login(6) })).stdout).toContain(
      "Version 2 is saved",
    );
    const back = await sluice("policy rollback 1");
    expect([back.exit, back.stdout]).toEqual([0, expect.stringContaining("Version 3 is saved")]);
    expect((await sluice("policy show --version 2 --json")).stdout).toContain('"limit": 6');
  });

  it("refuses a file that is made from an older version, and says what changed since", async () => {
    const { stdout: old } = await sluice("policy show --json");
    await sluice("policy set -", { stdin: policyText(10) });
    const stale = await sluice("policy set -", { stdin: old });
    expect(stale.exit).toBe(1);
    expect(stale.stderr).toContain("What changed since version 0");
    expect(await api.records()).toHaveLength(1);
  });

  it("names each problem of the file", async () => {
    const { exit, stderr } = await sluice("policy set -", { stdin: policyText(-1) });
    expect([exit, stderr]).toEqual([1, expect.stringContaining("rules[0].levels[0].limit")]);
  });
});

describe("other commands over the API", () => {
  it("block, list and unblock addresses, and name those that are refused", async () => {
    const added = await sluice([
      "block",
      "add",
      "203.0.113.9",
      "192.0.2.9",
      "--ttl",
      "24h",
      "--reason",
      "logs",
      "--tag",
      "bot",
    ]);
    expect(added.exit).toBe(1);
    expect(added.stdout).toContain("203.0.113.9 is on the blocklist until");
    expect(added.stderr).toContain("192.0.2.9");
    await vi.waitFor(
      async () => expect((await sluice("block list")).stdout).toContain("1 entry on the blocklist."),
      { timeout: 30_000 },
    );
    const found = await sluice("block list --search 203.0.113.9 --tag bot");
    expect(found.stdout).toMatch(/203\.0\.113\.9 .*token:deploy +bot +logs/);
    expect((await sluice("block list --tag other")).stdout).toContain("0 entries on the blocklist");
    const tagged = await sluice("block tag 203.0.113.9 --tag crowd --untag bot");
    expect(tagged.stdout).toContain("203.0.113.9 is tagged crowd.");
    expect((await sluice("block remove 203.0.113.9")).stdout).toContain("is removed from the blocklist");
    expect(await api.log.client.exists("blocklist:203.0.113.9")).toBe(0);
  });

  it("confirm a wide range", async () => {
    const refused = await sluice("safelist add 198.18.0.0/20");
    expect([refused.exit, refused.stderr]).toEqual([1, expect.stringContaining("--confirm 198.18.0.0/20")]);
    expect((await sluice("safelist add 198.18.0.0/20 --confirm 198.18.0.0/20")).exit).toBe(0);
  });

  it("set a customer's tier and limits, show and list it, and reset its counters", async () => {
    await sluice("policy set -", { stdin: policyText(10) });
    expect((await sluice("customer tier acme pro")).stdout).toContain("acme is now in tier pro.");
    expect((await sluice("customer tier beta pro --for 2h")).stdout).toMatch(
      /^beta is now in tier pro, until 20.+ UTC \(2h\), then no tier\.$/m,
    );
    const limited = await sluice("customer limit acme 5/60s --expires 1h");
    expect(limited.stdout).toContain("In force: 5 per 1 min, its own levels");
    const { stdout } = await sluice("customer show acme");
    expect(stdout).toMatch(/by token:deploy/);
    expect((await sluice("customer list")).stdout).toContain("acme");
    expect((await sluice("customer reset acme")).exit).toBe(0);
    expect((await sluice("customer limit acme --clear")).stdout).toContain("no longer has levels of its own");
    expect((await sluice("customer limit acme --clear")).stdout).toContain("Nothing changed");
    expect((await sluice("customer tier acme gold")).stderr).toContain("no tier");
  });

  it("suspend a customer, show that, and resume it", async () => {
    const suspended = await sluice([
      "customer",
      "suspend",
      "acme",
      "--expires",
      "24h",
      "--reason",
      "scraping",
    ]);
    expect(suspended.stdout).toMatch(/SUSPENDED: requests get 403.*token:deploy.*scraping/);
    expect((await sluice("customer show acme")).stdout).toContain("SUSPENDED");
    expect((await sluice("customer list")).stdout).toContain("SUSPENDED");
    expect((await sluice("customer resume acme")).stdout).toContain("is no longer suspended");
    expect((await sluice("customer resume acme")).stdout).toContain("Nothing changed");
    expect((await sluice("customer show acme")).stdout).not.toContain("SUSPENDED");
  });

  it("switch the mode and explain a verdict", async () => {
    expect((await sluice("mode shadow")).stdout).toContain("shadow");
    expect((await sluice("mode --json")).stdout).toContain('"version": 1');
    await sluice("block add 203.0.113.9");
    const { exit, stdout } = await sluice("explain 203.0.113.9 --path /login");
    expect([exit, stdout]).toEqual([0, expect.stringContaining("> blocklist")]);
    const requestRules = [
      { name: "agents", action: "deny", match: { userAgents: ["scanner"], countries: ["DE"] } },
    ];
    const policy = { mode: "enforce", rules: [], tiers: {}, requestRules };
    expect((await sluice("policy set -", { stdin: JSON.stringify(policy) })).exit).toBe(0);
    const denied = await sluice("explain 203.0.113.10 --user-agent scanner/2 --country DE");
    expect(denied.stdout).toContain("203.0.113.10 is blocked (403) by rule agents.");
    expect((await sluice("explain --value sk_live_1")).stdout).toBe(
      "No rule counts by the value of a header or cookie alone.\n",
    );
  });

  it("explain a denial by its reference", async () => {
    const { client } = api.log;
    await ensureReferenceKey(client);
    const [key] = parseReferenceKeys(await client.get(keys.referenceKeys()));
    if (!key) throw new Error("There is no key.");
    const reference = referenceKeyOf(key).write({
      ...{ kind: "entry", isBlocked: true, at: 1_800_000_000, app: "shop", decider: "", length: 24 },
      ...{ client: blockOf("203.0.113.9" as Ip), counted: undefined },
    });
    expect((await sluice(`explain ${reference}`)).stdout).toMatch(
      /^203\.0\.113\.9 was blocked .* at 2027-01-15 08:00:00 UTC by blocklist entry 203\.0\.113\.0\/24\.\nIt no longer applies/,
    );
    expect((await sluice(`explain ${reference}0`)).stderr).toContain("wrong or missing");
  });

  it("search the denial log page by page, and set how long it is kept", async () => {
    const [seconds = "0"] = await api.log.client.time();
    const sample = { method: "GET", host: "shop.example", userAgent: "test", standsFor: 1, customerId: "" };
    await sendEvidence(api.log.client, {
      ...{ app: "shop", node: "a", nowMs: Number(seconds) * 1_000 },
      seen: Array.from({ length: 600 }, (_, i) => ({
        ...{ ...sample, ip: "203.0.113.9", path: `/${i}`, outcome: "throttled", rule: "login" },
      })),
      evidence: { denied: [], passed: [] },
    });
    const found = await sluice("denials --client 203.0.113.0/24 --limit all --json");
    const { denials, kept } = JSON.parse(found.stdout);
    expect([denials.length, kept, denials[0]]).toMatchObject([600, 600, { rule: "login", app: "shop" }]);
    expect((await sluice("denials --outcome blocked")).stdout).toContain("No such denial is kept.");
    expect((await sluice("denials --limit 3 --csv")).stdout.trim().split("\r\n")).toHaveLength(4);
    expect((await sluice("denial-retention")).stdout).toBe("The denial log is kept for 3 days.\n");
    const kept7 = await sluice(["denial-retention", "7", "--reason", "weekly review"]);
    expect(kept7.stdout).toBe("The denial log is kept for 7 days.\n");
    expect((await sluice("denial-retention 7")).stdout).toContain("Nothing changed.");
    expect((await sluice("denial-retention 40")).stderr).toContain("from 1 to 31");
  });

  it("give a pattern and a group limits, show, preview and remove them", async () => {
    await sluice("policy set -", { stdin: policyText(10) });
    expect((await sluice("override list")).stdout).toBe("No overrides of groups or patterns.\n");
    const set = await sluice("override set premium_* 20000/1h --expires 7d --reason launch");
    expect(set.stdout).toMatch(/The pattern premium_\* has 20,000 per 1 h, until /);
    const group = await sluice("override set beta --tier pro --customers -", { stdin: "acme\nglobex\n" });
    expect(group.stdout).toContain("The group beta has limits of tier pro, without expiry, 2 customers.");
    await sluice("override set beta --with initech --without globex");
    expect((await sluice("override set beta --tier pro")).stdout).toContain("Nothing changed.");
    const listed = await sluice("override list");
    expect(listed.stdout).toMatch(/beta +2 customers +limits of tier pro +without expiry +never used/);
    expect(listed.stdout).toMatch(/premium_\* +by id +20,000 per 1 h +until /);
    const shown = JSON.parse((await sluice("override show beta --json")).stdout);
    expect(shown).toMatchObject({ name: "beta", tier: "pro", customers: ["acme", "initech"], usedAt: null });
    expect((await sluice("override show premium_*")).stdout).toContain("By token:deploy at");
    const dry = await sluice("override set premium_* 100/60s --dry-run");
    expect(dry.stdout).toMatch(/^Nothing was written\.\n0 known customers match/);
    await api.closeDirectory();
    expect((await sluice("override set beta --tier gold")).stderr).toContain('no tier "gold"');
    expect((await sluice("override remove beta")).stdout).toContain("The override of group beta is removed.");
    expect((await sluice("override show beta")).stderr).toContain("There is no override of group beta.");
  });

  it("add, list, show, switch, refresh, decide about and remove a feed", async () => {
    const file = join(folder, "list.txt");
    const write = (count: number) =>
      writeFileSync(file, Array.from({ length: count }, (_, i) => `203.0.113.${2 * i}`).join("\n"));
    write(10);
    expect((await sluice("feed list")).stdout).toBe("No feeds.\n");
    const added = await sluice(`feed add scanners file://${file} --every 30m`);
    expect([added.exit, added.stderr]).toEqual([0, ""]);
    expect(added.stdout).toMatch(/added to the blocklist, in shadow.*\n.*10 ranges, \+10 \/ -0/);
    expect((await sluice("feed list")).stdout).toMatch(/scanners +blocklist, shadow +10 ranges +in sync/);
    expect((await sluice("feed enforce scanners")).stdout).toContain("Done: enforce scanners.");
    expect((await sluice("feed enforce scanners")).stdout).toContain("Nothing changed.");
    const shown = (await sluice("feed show scanners")).stdout;
    expect(shown).toMatch(/Added by token:deploy .* Read every 30m\..*\n10 IPv4 and 0 IPv6 ranges/);
    expect(shown).toContain("Hits of 24 h: 0 decided, 0 in shadow.");
    expect((await sluice("feed accept scanners")).stderr).toContain("Nothing of the feed scanners waits");
    write(40);
    expect((await sluice("feed refresh")).stdout).toContain(
      "(40 ranges, +30 / -0) wait for a decision: the 10 ",
    );
    expect((await sluice("feed accept scanners")).stdout).toContain("40 ranges are in force");
    expect((await sluice("feed pause scanners")).stdout).toContain("Done: pause scanners.");
    const endless = await sluice(`feed add endless file://${file} --keys never`);
    expect([endless.exit, endless.stderr]).toEqual([1, expect.stringContaining("keys")]);
    rmSync(file);
    const failed = await sluice("feed refresh scanners");
    expect([failed.exit, failed.stdout]).toEqual([1, expect.stringContaining("was not refreshed.")]);
    expect((await sluice("feed remove scanners")).stdout).toContain("is removed");
    expect((await sluice("feed show scanners")).stderr).toContain("There is no feed scanners.");
  });

  it("wait for the nodes, and name those that lag", async () => {
    await api.log.client.hset(keys.node("shop-1"), { id: "shop-1", app: "shop", change: 0 });
    await api.log.client.zadd(keys.nodes(), Date.now(), "shop-1");
    expect((await sluice("block add 203.0.113.9")).stdout).toContain("Still waiting for shop-1");
  });
});

/** Of the part of an example that is this command. */
function wordsOf(example: string): string[] {
  const words = [...example.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? "",
  );
  const own = words.slice(words.indexOf("sluice") + 1);
  const end = own.findIndex((word) => ["|", "<", ">"].includes(word));
  return end === -1 ? own : own.slice(0, end);
}

/** Entries are removed by a tag in one record, which takes many steps. */
const byTag = /(block|safelist) remove --tag/;

describe("a command over the API that cannot go on", () => {
  it("says what is missing", async () => {
    const none = await sluice("policy show", { apiToken: null });
    expect([none.exit, none.stderr]).toEqual([1, expect.stringContaining("SLUICE_API_TOKEN is not set")]);
    const wrong = await sluice("policy show", { apiToken: `slc_${"x".repeat(43)}` });
    expect([wrong.exit, wrong.stderr]).toEqual([1, expect.stringContaining("is unknown, or was revoked")]);
    const other = await sluice("doctor");
    expect([other.exit, other.stderr]).toEqual([1, expect.stringContaining("the API does not serve it")]);
  });

  it.each(commands)("$name works, or says in one line that it needs Redis", async (command) => {
    // What it would write is refused, so that no example reads a feed.
    const apiToken = await test.tokenWith("read");
    for (const example of command.examples) {
      const { exit, stdout, stderr } = await sluice(wordsOf(example), { apiToken });
      const refusal = `sluice ${command.name} needs Redis: the API does not serve it. Unset SLUICE_URL and set REDIS_URL, or give --redis.`;
      const said = stdout + stderr;
      if (command.needsRedis) expect([exit, said]).toEqual([1, expect.stringContaining(refusal)]);
      else if (!byTag.test(example)) expect(said).not.toContain("needs Redis");
      if (command.needsRedis && stderr !== "") expect(stderr).toBe(`${refusal}\n`);
    }
  });

  it("without the scope is refused, and nothing is written", async () => {
    const apiToken = await api.token(["read"], { name: "reader" });
    const { exit, stderr } = await sluice("block add 203.0.113.9", { apiToken });
    expect([exit, stderr]).toEqual([1, expect.stringContaining("no scope lists")]);
    expect(await api.log.client.exists("blocklist:203.0.113.9")).toBe(0);
  });

  it.each([
    ["http://127.0.0.1:1", 3, "is not reachable"],
    ["ftp://console.example.org", 1, "SLUICE_URL is not a URL"],
  ])("%s exits with %i", async (apiUrl, code, words) => {
    const { exit, stderr } = await run(["policy", "show"], {
      environment: { secret: undefined, apiUrl, apiToken: test.token },
    });
    expect([exit, stderr]).toEqual([code, expect.stringContaining(words)]);
    expect(stderr).not.toContain(test.token);
  });
});
