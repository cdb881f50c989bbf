import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { sluice as run } from "../testing.ts";

let server: TestRedis;
let folder: string;
let file: string;

const ten = Array.from({ length: 10 }, (_, i) => (i === 6 ? "203.0.113.777" : `203.0.113.${i + 1}`));

beforeAll(async () => {
  server = await startRedis();
  folder = await mkdtemp(join(tmpdir(), "sluice-cli-"));
  file = join(folder, "ten.txt");
  await writeFile(file, ten.join("\n"));
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  await server.client.flushall();
});

const sluice = (argv: string[], stdin = "") => run(argv, { redisUrl: server.url, stdin });
const blocked = async () => (await server.client.keys("blocklist:*")).length;

it("writes nothing if line 7 of 10 is not valid, and names line and field", async () => {
  const { exit, stdout, stderr } = await sluice(["block", "import", file]);
  expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
  expect(stderr).toContain("Line 7, address: 203.0.113.777 is not an IPv4 address");
  expect(stderr).toContain("Nothing was written. 9 other lines are fine.");
  expect(await server.client.keys("*")).toEqual([]);
  const asked = await sluice(["block", "import", file, "--json"]);
  expect(Object.keys(JSON.parse(asked.stdout).error.fields)).toEqual(["line 7, address"]);
});

it("writes the other nine with --only-valid, and still names the invalid one", async () => {
  const { exit, stdout, stderr } = await sluice(["block", "import", file, "--only-valid", "--ttl", "24h"]);
  expect(exit).toBe(0);
  expect(stdout).toContain("9 added, 0 extended, 0 already there. 1 line skipped as not valid.");
  expect(stderr).toContain("Line 7, address:");
  expect(await blocked()).toBe(9);
  expect(await server.client.ttl("blocklist:203.0.113.1")).toBeLessThanOrEqual(86_400);
});

it("shows with --dry-run what would change", async () => {
  const { exit, stdout, stderr } = await sluice(["block", "import", file, "--dry-run"]);
  expect(exit).toBe(1);
  expect(stdout).toContain("9 added");
  expect(stderr).toContain("Line 7, address:");
  const valid = await sluice(["block", "import", file, "--dry-run", "--only-valid", "--json"]);
  expect(valid.exit).toBe(0);
  expect(JSON.parse(valid.stdout)).toMatchObject({ dryRun: true, problems: [{ line: 7, field: "address" }] });
  expect(await server.client.keys("*")).toEqual([]);
});

it("reads CSV from standard input, with an expiry and a reason in each line", async () => {
  const csv = 'address,ttl,reason\n203.0.113.9,1h,"a, b"\n2001:db8::1,never,\n10.16.0.0/20,,wide\n';
  const refused = await sluice(["block", "import", "-", "--only-valid"], csv);
  expect(refused.stderr).toMatch(/Line 4, address: 10\.16\.0\.0\/20 is wider than .*--confirm/);
  const { exit, stdout } = await sluice(["block", "import", "-", "--confirm", "10.16.0.0/20", "--json"], csv);
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    list: "blocklist",
    changes: [2],
    problems: [],
    lines: [{}, {}, {}],
  });
  expect(JSON.parse((await server.client.get("blocklist:203.0.113.9")) ?? "").reason).toBe("a, b");
});

it.each([
  ["203.0.113.1,tomorrow\n", "Line 1, ttl:"],
  ["address,colour\n203.0.113.1,red\n", 'the column "colour" is unknown'],
  ['203.0.113.1,1h,"open\n', "Line 1, line: a quote is not closed"],
  ["203.0.113.1\n203.0.113.1\n", "Line 2, address: 203.0.113.1 is on line 1 already"],
  [
    `203.0.113.1\nx${" ".repeat(999_998)}x\n`,
    "Line 2, line: the line is 1,000,000 characters long. Lines may have 2,000",
  ],
])("refuses %.40j", async (text, says) => {
  const { exit, stderr } = await sluice(["block", "import", "-"], text);
  expect(exit).toBe(1);
  expect(stderr).toContain(says);
  expect(await blocked()).toBe(0);
});

it("of many lines is one record, printed with the command that undoes it", async () => {
  const text = Array.from({ length: 1_200 }, (_, i) => `10.2.${i >> 8}.${i & 255}`).join("\n");
  const { exit, stdout } = await sluice(["block", "import", "-"], text);
  expect(exit).toBe(0);
  expect(stdout).toContain("1200 added, 0 extended, 0 already there.");
  expect(stdout).toContain("Record 1 in the audit log. To undo the import, run sluice undo 1.");
  expect(stdout).toContain("Change 3: no node is running");
  expect(await server.client.xlen("sluice:audit")).toBe(1);
  const undone = await sluice(["undo", "1", "--reason", "the wrong file"]);
  expect(undone).toMatchObject({ exit: 0, stderr: "" });
  expect(undone.stdout).toContain("Record 1 is undone by record 2: 1200 changes undone.");
  expect([await blocked(), await server.client.xlen("sluice:audit")]).toEqual([0, 2]);
  const json = await sluice(["undo", "2", "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    undone: 2,
    record: 3,
    done: 1_200,
    left: 0,
    isWhole: true,
  });
  expect(json.stderr).toBe("");
});

it("shows on a terminal how far a long import and its undo have come", async () => {
  const count = 20_000;
  const stdin = Array.from({ length: count }, (_, i) => `10.2.${i >> 8}.${i & 255}`).join("\n");
  const onTerminal = { redisUrl: server.url, isStderrTTY: true };
  const imported = await run(["block", "import", "-"], { ...onTerminal, stdin });
  expect(imported.exit).toBe(0);
  expect(imported.stderr).toMatch(/Checking: [\d,]+ of 20,000\b.*Importing: [\d,]+ of 20,000\b/s);
  const undone = await run(["undo", "1"], onTerminal);
  expect(undone).toMatchObject({ exit: 0, stdout: expect.stringContaining("20000 changes undone") });
  expect(undone.stderr).toMatch(/Undoing: [\d,]+ of 20,000\b/);
});
