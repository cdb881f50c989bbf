import { expect, it } from "vitest";
import { keys } from "../../redis/keys.ts";
import { addEntries } from "../lists/add.ts";
import { at, testLists } from "../lists/vitest.context.ts";
import { decideRequest, makeRequest, type RequestInput } from "./decide.ts";
import { mostOfUser, readRequests } from "./user-request.ts";

const lists = testLists();
const { ctx, records, expectSoundChain } = lists;
const client = () => lists.client;

const viewer = () => ctx({ name: "vera@example.org" });
const staff = () => ctx({ name: "sam@example.org" });
const wish: RequestInput = {
  ...{ kind: "block", target: "203.0.113.7", ttlMs: 3_600_000, reason: "scans the login", role: "viewer" },
};
const ask = (given: Partial<RequestInput> = {}) => makeRequest(viewer(), { ...wish, ...given });
const decide = (id: string, isConfirmed: boolean, word = "") =>
  decideRequest(staff(), { id, isConfirmed, word });

it("changes nothing before staff confirm it; then the audit log names both", async () => {
  const { id } = await ask();
  expect(await client().exists("blocklist:203.0.113.7")).toBe(0);
  const { change, request } = await decide(id, true, "thanks");
  expect([typeof change, request.decision?.by]).toEqual(["number", "sam@example.org"]);
  const ttl = await client().pttl("blocklist:203.0.113.7");
  expect(ttl).toBeGreaterThan(3_000_000);
  expect((await records()).map(({ actor, action, reason }) => [actor, action, reason])).toEqual([
    ["vera@example.org", "request.make", "scans the login"],
    ["sam@example.org", "blocklist.add", "scans the login (requested by vera@example.org)"],
    ["sam@example.org", "request.confirm", "thanks"],
  ]);
  await expectSoundChain(3);
});

it("unblocks, and does nothing where it is declined or is about something else", async () => {
  await addEntries(staff(), { list: "blocklist", addresses: [at("203.0.113.8")], reason: "x" });
  await decide((await ask({ kind: "unblock", target: "203.0.113.8" })).id, false, "a scanner");
  expect(await client().exists("blocklist:203.0.113.8")).toBe(1);
  await decide((await ask({ kind: "unblock", target: "203.0.113.8" })).id, true);
  expect(await client().exists("blocklist:203.0.113.8")).toBe(0);
  const { change } = await decide((await ask({ kind: "change", target: "customer 1042" })).id, true, "done");
  expect(change).toBe(null);
  expect((await readRequests(ctx().redis)).map(({ decision }) => decision?.is)).toEqual(
    expect.arrayContaining(["confirmed", "confirmed", "declined"]),
  );
});

it.each(["127.0.0.1", "10.1.2.3", "192.0.2.7"])(
  "is carried out under lockout protection: %s stays unblocked, and the request open",
  async (target) => {
    const { id } = await ask({ target });
    await expect(decide(id, true)).rejects.toThrow();
    expect(await client().exists(`blocklist:${target}`)).toBe(0);
    expect((await readRequests(ctx().redis))[0]?.decision).toBeUndefined();
  },
);

it("protects the address of the person who confirms it", async () => {
  const { id } = await ask();
  const own = ctx({ name: "sam@example.org", address: at("203.0.113.7") as never });
  await expect(decideRequest(own, { id, isConfirmed: true, word: "" })).rejects.toThrow("your own address");
});

it("is decided once", async () => {
  const { id } = await ask();
  await decide(id, false);
  await expect(decide(id, true)).rejects.toThrow("has declined this request already");
  expect(await client().exists("blocklist:203.0.113.7")).toBe(0);
});

it.each<Partial<RequestInput>>([
  { target: "nonsense" },
  { target: "" },
  { reason: " " },
  { ttlMs: null },
  { ttlMs: 91 * 86_400_000 },
  { kind: "change", target: "x".repeat(201) },
])("is refused if it cannot be carried out: %j", async (given) => {
  await expect(ask(given)).rejects.toThrow();
  expect(await client().exists(keys.requests())).toBe(0);
});

it("cannot be made twice, nor without end", async () => {
  await ask();
  await expect(ask()).rejects.toThrow("has asked for that already");
  for (let i = 1; i < mostOfUser; i++) await ask({ target: `198.51.100.${i}` });
  await expect(ask({ target: "198.51.100.200" })).rejects.toThrow("Too many requests are open");
});
