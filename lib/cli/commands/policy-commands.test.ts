import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createGuard } from "../../enforce/guard/guard.ts";
import { defaultPolicy } from "../../enforce/policy/stored.ts";
import { keys } from "../../redis/keys.ts";
import { eventually, startRedis, type TestRedis } from "../../redis/testing.ts";
import { sluice as run } from "../testing.ts";

let server: TestRedis;
let folder: string;

beforeAll(async () => {
  server = await startRedis();
  folder = await mkdtemp(join(tmpdir(), "sluice-cli-"));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => void (await server.client.flushall()));

const sluice = (line: string, stdin = "") => run(line.split(" "), { redisUrl: server.url, stdin });
const json = async (line: string, stdin = "") => JSON.parse((await sluice(`${line} --json`, stdin)).stdout);
const [first, ...others] = defaultPolicy.rules;
const tightened = JSON.stringify({
  ...defaultPolicy,
  rules: [{ ...first, levels: [{ limit: 100, periodSeconds: 300 }] }, ...others],
});
const lastAudit = async () => {
  const [[, fields] = ["", []]] = await server.client.xrevrange("sluice:audit", "+", "-", "COUNT", 1);
  return JSON.parse(fields[1] ?? "null");
};

describe("sluice policy show", () => {
  it("shows mode, rules and tiers in words, and settings that differ from the defaults", async () => {
    const { exit, stdout } = await sluice("policy show");
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^Version 0 \(what a fresh install begins with\)\.\nThe mode is enforce: /);
    expect(stdout).toMatch(/^Rule 1, req\/ip\/1\n {2}counted by {2}ip\n {2}limits {6}300 per 5 min$/m);
    expect(stdout).toMatch(/^ {2}pro {9}100 per 1 min and 5,000 per 1 h$/m);
    expect(stdout).not.toContain("answer");
    const [rule] = defaultPolicy.rules;
    const policy = { ...defaultPolicy, rules: [{ ...rule, response: { status: 503, message: "\u202e" } }] };
    await sluice("policy set -", JSON.stringify(policy));
    expect((await sluice("policy show")).stdout).toMatch(/^ {2}answer {6}503 "<U\+202E>"$/m);
  });

  it("shows how far the nodes that run now may exceed a rule, in each version", async () => {
    const slackIn = async (line: string) => (await sluice(line)).stdout.match(/^ {2}slack .*$/gm);
    await server.client.zadd("sluice:nodes", Date.now() - 60_000, "dead");
    const alone = [
      "  slack       10%: up to 30 of 300 more, with 1 node",
      "  slack       10%: up to 60 of 600 more, with 1 node",
      "  slack       10%: up to 86 requests more at once, with 1 node",
    ];
    expect(await slackIn("policy show")).toEqual(alone);
    await sluice("policy set -", tightened);
    for (const id of ["a", "b", "c", "d"]) await server.client.zadd("sluice:nodes", Date.now(), id);
    expect((await slackIn("policy show"))?.[0]).toBe("  slack       10%: up to 8 of 100 more, with 4 nodes");
    expect((await slackIn("policy show --version 1"))?.[1]).toBe(
      "  slack       10%: up to 60 of 600 more, with 4 nodes",
    );
  });

  it("shows an earlier version, and lists the versions", async () => {
    await sluice("policy set - --reason attack", tightened);
    await sluice("mode off");
    expect(await json("policy show --version 1")).toMatchObject({
      ...{ version: 1, reason: "attack", policy: { mode: "enforce" } },
      by: expect.stringMatching(/^cli:/),
    });
    const { stdout } = await sluice("policy versions");
    expect(stdout).toMatch(/^> {2}2 [^\n]*\n {3}1 [^\n]* attack\n {3}0 .* the policy of a fresh install\n$/m);
    expect(await json("policy versions")).toMatchObject({
      inForce: 2,
      versions: [{ version: 2 }, { version: 1 }],
    });
    expect(await sluice("policy show --version 9")).toMatchObject({
      ...{
        exit: 1,
        stdout: "",
        stderr: "There is no version 9. To list the versions, run sluice policy versions.\n",
      },
    });
    expect((await json("policy show --version=x")).error).toMatchObject({
      code: "bad-input",
      fields: { version: {} },
    });
  });

  it("warns of a policy in Redis that is not enforced, and shows the one that is, until a change replaces it", async () => {
    await sluice("policy set -", tightened);
    await server.client.set("sluice:live:policy", "{}");
    for (const line of ["policy show", "policy versions", "mode"]) {
      const { exit, stderr } = await sluice(line);
      expect({ exit, stderr }).toMatchObject({ exit: 0, stderr: expect.stringContaining("is not enforced") });
    }
    expect((await sluice("policy shadow req/ip/2")).stderr).toContain("The replaced policy was not enforced");
    expect((await sluice("policy show")).stderr).toBe("");
    expect(await json("policy show")).toMatchObject({
      version: 2,
      policy: { rules: [{ levels: [{ limit: 100 }] }, { mode: "shadow" }, {}, {}] },
    });
  });
});

describe("sluice policy set", () => {
  it("saves a file, reports the changes, and records why", async () => {
    const file = join(folder, "policy.json");
    await writeFile(file, tightened);
    const said = await sluice(`policy set ${file} --dry-run`);
    const change = "  Rule req/ip/1, limits: 300 per 5 min → 100 per 5 min.\n";
    expect(said.stdout).toBe(`Nothing was written. Saving would change version 0:\n${change}`);
    expect(await server.client.keys("*")).toEqual([]);
    const { exit, stdout } = await sluice(`policy set ${file} --reason attack`);
    expect(exit).toBe(0);
    expect(stdout).toBe(
      `Version 1 is saved. Since version 0:\n${change}Change 1: no node is running, so it is not enforced yet.\n`,
    );
    expect(await lastAudit()).toMatchObject({ action: "policy.set", reason: "attack", via: "cli" });
    expect((await sluice(`policy set ${file}`)).stdout).toBe(
      "Version 1 is already the same. Nothing changed.\n",
    );
  });

  it("reads the output of show, and refuses it once another version is saved", async () => {
    const shown = (await sluice("policy show --json")).stdout;
    await sluice("policy set - --reason attack", tightened);
    const mine = shown.replace('"limit": 600', '"limit": 700');
    const { exit, stdout, stderr } = await sluice("policy set -", mine);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr).toMatch(/^cli:.+ saved version 1 at .+ \(attack\), while yours is made from version 0\./);
    expect(stderr).toContain(
      "What changed since version 0:\n  Rule req/ip/1, limits: 300 per 5 min → 100 per 5 min.",
    );
    expect((await json("policy set - --dry-run", mine)).error.code).toBe("changed-since");
    expect((await json("policy set - --based-on 7", tightened)).error.code).toBe("changed-since");
    expect(await json("policy set - --based-on 1", mine)).toMatchObject({ version: 2, before: 1, change: 2 });
  });

  it("names every problem with its field, and the line of a mistake in JSON", async () => {
    const bad = {
      mode: "maybe",
      rules: [{ ...first, levels: [{ limit: -1, periodSeconds: 60 }] }],
      tiers: { A: 1 },
    };
    const { exit, stderr } = await sluice("policy set -", JSON.stringify(bad));
    expect(exit).toBe(1);
    expect(stderr).toContain("  mode: write one of enforce, shadow, off.\n");
    expect(stderr).toContain("  rules[0].levels[0].limit: write a whole number from 0");
    const { error } = await json("policy set -", JSON.stringify(bad));
    expect(Object.keys(error.fields)).toEqual(["mode", "rules[0].levels[0].limit", "tiers.A"]);
    expect((await sluice("policy set -", '{\n  "mode": enforce\n}')).stderr).toBe(
      "The file is not valid JSON. Line 2, column 11: expected a value or a name in double quotes, found enforce.\n",
    );
    expect(await server.client.keys("*")).toEqual([]);
  });
});

describe("sluice policy rollback", () => {
  it("publishes a version again as the next one, and reports the changes", async () => {
    await sluice("policy set -", tightened);
    await sluice("mode shadow");
    const { exit, stdout } = await sluice("policy rollback 1 --reason calm");
    expect(exit).toBe(0);
    expect(stdout).toContain(
      "Version 3 is saved. Since version 2:\n  The mode goes from shadow to enforce.\n",
    );
    expect(await lastAudit()).toMatchObject({ action: "policy.roll-back", reason: "calm" });
    expect((await sluice("policy rollback 9")).stderr).toContain("versions 1 to 3 are kept");
    expect((await sluice("policy rollback 1 --based-on 2")).stderr).toContain("saved version 3");
    expect((await json("policy rollback soon")).error.fields).toEqual({ version: expect.any(String) });
    expect(await json("policy rollback 0")).toMatchObject({ version: 4, before: 3 });
  });
});

it("says which clients shadow would have denied when a rule is enforced", async () => {
  const minute = Math.floor(Date.now() / 60_000);
  await server.client.hset(
    `sluice:series:60:${minute}`,
    "shop\0shadow rate/ip",
    131,
    "shop\0denied rate/ip",
    5,
  );
  const hit = [120, " 203.0.113.9", 8, "1042 192.0.2.10", 3, "3008 192.0.2.11"];
  await server.client.zadd(keys.shadowHitters(minute, "rate/ip"), ...hit);
  const { stdout } = await sluice("policy enforce rate/ip");
  expect(stdout).toContain(
    "In the last hour, shadow saw 131 requests that this rule would have denied, of 3 known clients.\nCustomers among them: 1042, 3008.\n",
  );
  expect((await sluice("policy enforce rate/ip")).stdout).not.toContain("shadow saw");
});

it("adds, shows, switches and replaces a rule that denies requests", async () => {
  const bots = { name: "no-bots", action: "deny", match: { userAgents: ["acme-bot"] }, mode: "shadow" };
  expect((await sluice("policy add - --reason bots", JSON.stringify(bots))).stdout).toContain(
    "Deny rule no-bots is new: deny with 403, mode shadow. It matches user agents with acme-bot.",
  );
  expect((await sluice("policy show")).stdout).toMatch(
    /^Request rule 1, no-bots\n {2}action {3}deny with 403\n {2}matches {2}user agents with acme-bot\n {2}mode {5}shadow$/m,
  );
  expect((await sluice("policy enforce no-bots")).stdout).toContain(
    "In the last hour, shadow saw 0 requests",
  );
  const gone = { ...bots, response: { status: 410 } };
  const replaced = await sluice("policy add - --replace", JSON.stringify(gone));
  expect(replaced.stdout).toContain("Deny rule no-bots, action: deny with 403 → deny with 410.");
  expect((await json("policy show")).policy.requestRules).toMatchObject([{ ...gone, mode: "shadow" }]);
  expect((await sluice("policy rollback 0")).stdout).toContain("Deny rule no-bots is removed.");
});

it("sets one rule's mode, and only that", async () => {
  const { stdout } = await sluice("policy off req/ip/2 --reason quiet");
  expect(stdout).toContain("Since version 0:\n  Rule req/ip/2, mode: enforce → off.\n");
  await sluice("policy shadow req/ip/1");
  await sluice("policy enforce rate/ip");
  const { policy } = await json("policy show");
  expect(policy.rules.map((rule: { mode: string }) => rule.mode)).toEqual([
    "shadow",
    "off",
    "enforce",
    "enforce",
  ]);
  expect(await json("policy off req/ip/2")).toMatchObject({ change: null, version: 3 });
  const { exit, stderr } = await sluice("policy off req/ip/3");
  expect(exit).toBe(1);
  expect(stderr).toMatch(
    /^The policy has no rule "req\/ip\/3": it has req\/ip\/1, .*Did you mean "req\/ip\/1"\?\n$/,
  );
});

describe("sluice mode", () => {
  it("shows the mode and sets it", async () => {
    expect((await sluice("mode")).stdout).toMatch(/^The mode is enforce: .*\nVersion 0/);
    const { exit, stdout } = await sluice("mode shadow --reason outage");
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^The mode is shadow: rules only report.*\nChange 1: /);
    expect(await lastAudit()).toMatchObject({ action: "policy.mode", reason: "outage" });
    expect((await sluice("mode shadow")).stdout).toContain("Already in this mode. Nothing changed.");
    expect(await json("mode")).toEqual({ mode: "shadow", version: 1, until: null });
    expect((await sluice("mode sahdow")).stderr).toContain('Did you mean "shadow"?');
    expect((await json("mode sahdow")).error).toMatchObject({ code: "bad-input", fields: { mode: {} } });
  });

  it("reaches the nodes", async () => {
    const guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
    onTestFinished(() => guard.close());
    await guard.ready();
    const strict = {
      mode: "enforce",
      rules: [{ ...first, levels: [{ limit: 1, periodSeconds: 86_400 }] }],
      tiers: {},
    };
    const change = async (line: string, stdin = "") => {
      const around = { redisUrl: server.url, stdin, appliedWithinMs: 10_000 };
      expect((await run(line.split(" "), around)).stdout).toContain("applied on 1 of 1 node in");
    };
    // On a busy machine the counters may answer too late for a check. Then no count decides.
    const ask = () =>
      eventually(async () => {
        const verdict = await guard.check({ ip: "203.0.113.9" });
        expect(verdict.trouble).toBeUndefined();
        return verdict;
      });
    await change("policy set -", JSON.stringify(strict));
    await eventually(async () => expect(await ask()).toMatchObject({ outcome: "throttled", limit: 1 }));
    await change("policy shadow req/ip/1");
    expect((await ask()).outcome).toBe("pass");
    await change("policy enforce req/ip/1");
    expect((await ask()).outcome).toBe("throttled");
    await change("mode off");
    expect((await ask()).outcome).toBe("pass");
  });
});

describe("sluice policy add", () => {
  const rule = { ...first, name: "login", match: { only: ["/login"] } };

  it("adds one rule as the last, and keeps all others", async () => {
    const preview = await sluice("policy add - --dry-run", JSON.stringify(rule));
    expect(preview).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^Nothing was written.*login/s),
    });
    expect(await server.client.exists("sluice:live:policy")).toBe(0);
    const { difference } = await json("policy add - --reason guessing", JSON.stringify(rule));
    expect(difference).toEqual([expect.stringMatching(/^Rule login is new/)]);
    const { policy, reason } = await json("policy show");
    expect(reason).toBe("guessing");
    expect(policy.rules.map(({ name }: { name: string }) => name)).toEqual([
      ...defaultPolicy.rules.map(({ name }) => name),
      "login",
    ]);
    expect(policy.tiers).toEqual(defaultPolicy.tiers);
  });

  it("refuses a rule that exists, one that is not valid, and a whole policy", async () => {
    for (const [given, says] of [
      [JSON.stringify(first), "another rule is named"],
      ['{"name":"x"}', "rules[4].algorithm"],
      ["[]", "rules[4]"],
      [tightened, "sluice policy set"],
    ] as const) {
      const { exit, stderr } = await sluice("policy add -", given);
      expect([exit, stderr]).toEqual([1, expect.stringContaining(says)]);
    }
    expect(await server.client.exists("sluice:live:policy")).toBe(0);
  });

  it("reads the documented example, which removes no rule", async () => {
    const page = await readFile(new URL("../../../docs/tasks/route-limit.md", import.meta.url), "utf8");
    const [, example = "", commands = ""] = /^```json\n(.*?)^```\n+(?:```sh\n(.*?)^```)?/ms.exec(page) ?? [];
    const [, command = "policy set"] = /sluice -- (policy \w+) \S+ --dry-run/.exec(commands) ?? [];
    const { difference } = await json(`${command} - --dry-run`, example);
    expect(difference).toEqual([expect.stringMatching(/^Rule login is new/)]);
  });
});

it("changes nothing without the secret", async () => {
  const around = { redisUrl: server.url, environment: { secret: undefined } };
  for (const line of [
    "mode off",
    "policy rollback 0",
    "policy off req/ip/1",
    "customer tier acme pro",
    "customer reset acme",
  ]) {
    const { exit, stderr } = await run(line.split(" "), around);
    expect({ exit, stderr }).toMatchObject({ exit: 1, stderr: expect.stringContaining("NEXTAUTH_SECRET") });
  }
  for (const line of ["mode", "policy show", "policy versions", "customer show acme", "customer list"])
    expect((await run(line.split(" "), around)).exit).toBe(0);
  expect(await server.client.keys("*")).toEqual([]);
});

describe("policy files in a repository", () => {
  const withComments = `// of the fleet\n{ "$schema": "./policy.schema.json", ${JSON.stringify(defaultPolicy).slice(1)}`;

  it("are checked without Redis, comments and all", async () => {
    const offline = (stdin: string) =>
      run(["policy", "check", "-"], { redisUrl: "redis://127.0.0.1:1", stdin });
    expect(await offline(withComments)).toMatchObject({
      exit: 0,
      stdout: "The policy is valid: 4 rules, 3 tiers.\n",
    });
    const { exit, stderr } = await offline('{ "mode": "on", "rules": [{}], "tiers": {}, "rule": [] }');
    expect([exit, stderr]).toEqual([
      1,
      expect.stringMatching(/^The policy is not valid:\n(.*\n)* {2}rule: /),
    ]);
    expect(stderr).toContain("mode: write one of enforce, shadow, off.");
  });

  it("are compared with the policy in force, without the console's secret", async () => {
    const diff = (stdin: string, ...more: string[]) =>
      run(["policy", "diff", "-", ...more], {
        redisUrl: server.url,
        stdin,
        environment: { secret: undefined },
      });
    expect(await diff(withComments, "--exit-code")).toMatchObject({
      ...{ exit: 0, stdout: "The file is the policy in force, version 0.\n" },
    });
    expect(await diff(tightened)).toMatchObject({ exit: 0, stdout: expect.stringContaining("version 0:") });
    expect(await diff(tightened, "--exit-code")).toMatchObject({ exit: 1 });
    expect(await server.client.keys("*")).toEqual([]);
  });

  it("are saved with comments, and change one rule in its place", async () => {
    expect((await sluice("policy set -", withComments.replace("300", "200"))).exit).toBe(0);
    const rule = JSON.stringify({ ...first, levels: [{ limit: 7, periodSeconds: 300 }] });
    expect(await sluice("policy add -", rule)).toMatchObject({ exit: 1 });
    expect((await sluice("policy add - --replace", rule)).exit).toBe(0);
    const { policy } = await json("policy show");
    expect(policy.rules.map(({ name }: { name: string }) => name)).toEqual(
      defaultPolicy.rules.map(({ name }) => name),
    );
    expect(policy.rules[0].levels).toEqual([{ limit: 7, periodSeconds: 300 }]);
    expect((await sluice("policy add - --replace", rule.replace("req/ip/1", "other"))).stderr).toContain(
      'There is no rule named "other".',
    );
  });

  it("have a JSON schema that takes what policy set takes", async () => {
    const schema = await json("policy schema");
    expect(schema).toMatchObject({
      title: "Policy of Sluice",
      additionalProperties: false,
      properties: { $schema: { type: "string" }, mode: { enum: ["enforce", "shadow", "off"] } },
    });
    expect(JSON.stringify(schema.properties.rules)).toContain("periodSeconds");
    expect(JSON.stringify(schema)).not.toContain('"required":["name","match"');
  });
});

describe("limits of code", () => {
  it("are listed, changed and given back to the code", async () => {
    expect(await sluice("policy limits")).toMatchObject({
      stdout: "No app names a limit in its code.\n",
      exit: 0,
    });
    const guard = createGuard({ redis: server.url, app: "shop", log: () => {} });
    onTestFinished(() => guard.close());
    const limit = guard.limit("export", { levels: [{ limit: 10, periodSeconds: 3_600 }], by: "customer" });
    await guard.ready();
    await limit.check("acme");
    const listed = await eventually(async () => {
      const { limits } = await json("policy limits");
      expect(limits).toMatchObject([{ limit: "shop/export", checked: 1 }]);
      return limits;
    });
    expect(listed).toMatchObject([
      { code: { by: "customer" }, published: null, isDifferent: false, denied: 0 },
    ]);
    const line = "policy limit-set shop/export 2/1h 5/1d --mode shadow --reason attack";
    const set = await run(line.split(" "), { redisUrl: server.url, appliedWithinMs: 10_000 });
    expect(set.stdout).toMatch(
      /^shop\/export: 2 per 1 h and 5 per 1 day, mode shadow\.\nChange \d+: applied on 1 of 1 node/,
    );
    expect((await sluice("policy limits")).stdout).toMatch(
      /^shop\/export {2}customer {2}10 per 1 h {2}2 per 1 h and 5 per 1 day {2}shadow \(published\) +1 /m,
    );
    expect((await lastAudit()).action).toBe("limit.set");
    expect((await sluice("policy limit-set shop/export --clear")).stdout).toMatch(
      /^shop\/export: 10 per 1 h, mode enforce\.\n/,
    );
    expect(await sluice("policy limit-set shop/export")).toMatchObject({ exit: 2 });
    expect(await sluice("policy limit-set shop/export 5/1h --clear")).toMatchObject({ exit: 2 });
    expect((await sluice("policy limit-set shop/exprt 5/1h")).stderr).toContain("nodes report shop/export");
    expect((await sluice("policy limit-set shop/export --mode loud")).stderr).toContain(
      "--mode: write one of",
    );
  });
});
