import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { sluice as run } from "../testing.ts";

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis();
});

afterAll(() => server.stop());

const sluice = (...argv: string[]) => run(argv, { redisUrl: server.url });

beforeEach(async () => {
  await server.client.flushall();
  await sluice("block", "add", "203.0.113.1", "203.0.113.2", "203.0.113.3", "--reason", "scraper");
});

const blocked = async () => (await server.client.keys("blocklist:*")).toSorted();

it("undoes all of a record, and then the undo", async () => {
  const { exit, stdout } = await sluice("undo", "1");
  expect({ exit, stdout }).toEqual({
    exit: 0,
    stdout: expect.stringMatching(/^Record 1 is undone: 3 changes undone\.\nChange 2: /),
  });
  expect(await blocked()).toEqual([]);
  await sluice("undo", "2");
  expect(await blocked()).toHaveLength(3);
});

it("undoes the given entries, and no others", async () => {
  expect(await sluice("undo", "1", "203.0.113.2", "203.0.113.3")).toMatchObject({ exit: 0 });
  expect(await blocked()).toEqual(["blocklist:203.0.113.1"]);
});

it("names the entries of a large record that it does not undo", async () => {
  const many = Array.from({ length: 600 }, (_, i) => `10.2.${i >> 8}.${i & 255}`).join("\n");
  await run(["block", "import", "-"], { redisUrl: server.url, stdin: many });
  await server.client.set("blocklist:10.2.0.7", "by hand");
  const { exit, stdout, stderr } = await sluice("undo", "2");
  expect(exit).toBe(0);
  expect(stdout).toContain("Record 2 is partly undone by record 3: 599 changes undone.");
  expect(stderr).toBe("1 entry stays as it is:\n10.2.0.7 was changed since.\n");
});

it.each([
  [["undo", "x"], 1, "record: write the number of a record, from 1."],
  [["undo", "7"], 1, "There is no record 7 in the audit log."],
  [["undo", "1", "203.0.113.9"], 1, "Record 1 did not change 203.0.113.9."],
  [["undo", "1", "nonsense"], 1, "nonsense"],
  [["undo"], 2, "An argument is missing. Usage: sluice undo <record> [address…]"],
])("refuses %j", async (argv, exit, says) => {
  const refused = await sluice(...argv);
  expect(refused.exit).toBe(exit);
  expect(refused.stderr).toContain(says);
  expect(await blocked()).toHaveLength(3);
});
