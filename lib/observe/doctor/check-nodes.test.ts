import { expect, it } from "vitest";
import { policyFormat } from "../../enforce/policy/versions.ts";
import { keys } from "../../redis/keys.ts";
import { nodes } from "./check-nodes.ts";
import { TestPatient } from "./vitest.patient.ts";

const patient = new TestPatient();

const look = () => patient.examine(nodes);

it("shows the rates of nodes that report them", async () => {
  await patient.reportNode("busy", { requestsPerSecond: 120.4, deniedPerSecond: 30, counters: "ok" });
  await patient.reportNode("silent");
  expect(await look()).toMatchObject([
    {
      status: "ok",
      details: expect.arrayContaining([
        expect.stringMatching(/^busy: .*120\.4 requests\/s of which 30 denied/),
        expect.not.stringContaining("requests/s"),
      ]),
    },
  ]);
});

it("names nodes of an earlier version, by their version or by the policies that they understand", async () => {
  await patient.reportNode("current");
  await patient.reportNode("next", { version: "10.0.0", policyFormat: policyFormat + 1 });
  await patient.reportNode("last", { version: "0.0.12" });
  await patient.reportNode("one before", { policyFormat: policyFormat - 1 });
  await patient.reportNode("first");
  await patient.client.hdel(keys.node("first"), "policyFormat");
  expect(await look()).toMatchObject([
    { status: "ok" },
    {
      status: "note",
      says: expect.stringMatching(/^3 nodes of an earlier version: (?=.*last)(?=.*one before)(?=.*first)/),
      details: expect.arrayContaining([
        expect.stringContaining("last: host there, version 0.0.12,"),
        expect.stringContaining("first: host there, version 0.1.0, policy format 1;"),
      ]),
    },
  ]);
});

it("notes nodes whose account may not report customers of addresses", async () => {
  await patient.reportNode("refused", { ownersFormat: 0 });
  await patient.reportNode("starting", { ownersFormat: 0, startedAt: Date.now() });
  await patient.reportNode("fine", { ownersFormat: 1 });
  await patient.reportNode("older");
  expect(await look()).toMatchObject([
    { status: "ok" },
    { status: "note", says: expect.stringMatching(/^1 node cannot report customers/), details: ["refused"] },
  ]);
});

it("names nodes that ignore feeds, once there is a feed", async () => {
  await patient.reportNode("fine", { feedsFormat: 1 });
  await patient.reportNode("refused", { feedsFormat: 0 });
  await patient.reportNode("older");
  expect(await look()).toMatchObject([{ status: "ok" }]);
  await patient.client.hset(keys.feeds(), "scanners", "{}");
  expect(await look()).toMatchObject([
    { status: "ok" },
    {
      status: "problem",
      details: [expect.stringMatching(/^older: version/)],
      cure: expect.stringContaining("Update"),
    },
    {
      status: "problem",
      details: [expect.stringMatching(/^refused: version/)],
      cure: expect.stringContaining("sluice:feed"),
    },
  ]);
});

it.each([
  ["15.5.3", true],
  ["15.5.20", true],
  ["15.5.21", false],
  ["15.6.0-canary.3", false],
  ["16.0.0", true],
  ["16.2.10", true],
  ["16.2.11", false],
  ["16.4.5", false],
  ["17.0.0", false],
  ["14.2.30", true],
  ["unreadable", true],
])("judges an app that runs Next %s: old is %s", async (next, isOld) => {
  await patient.reportNode("one", { next, app: "blog" });
  await patient.reportNode("other", { next: "16.4.5" });
  await patient.reportNode("of an older version");
  const found = await look();
  expect(found[0]).toMatchObject({
    status: "ok",
    details: expect.arrayContaining([expect.stringContaining(`Next ${next}`)]),
  });
  const old = { status: "problem", says: expect.stringMatching(/past proxy\.ts.*: blog \(/) };
  expect(found.slice(1)).toMatchObject(isOld ? [old] : []);
});

it.each([
  ["18.20.8", true],
  ["20.20.0", true],
  ["21.7.3", true],
  ["22.12.0", false],
  ["23.11.1", true],
  ["24.1.0", false],
  ["25.0.0", false],
  ["26.0.0", false],
  ["unreadable", true],
])("judges an app that runs Node %s: unmaintained is %s", async (node, isOld) => {
  await patient.reportNode("one", { node, app: "blog" });
  await patient.reportNode("of an older version");
  const [, ...found] = await look();
  const old = { status: "note", says: expect.stringContaining(`no security fixes: blog (${node}).`) };
  expect(found).toMatchObject(isOld ? [old] : []);
});

it("names the nodes without counters, and why", async () => {
  await patient.reportNode("well", { counters: "ok" });
  await patient.reportNode("cut off", { counters: "away" });
  await patient.reportNode("full", { counters: "refused" });
  const [found] = await look();
  expect(found?.status).toBe("problem");
  expect(found?.says).toMatch(
    /^Without counters: (?=.*cut off \(there is no connection\))(?=.*full \(they reject)/,
  );
  expect(found?.says).not.toContain("well");
});

it("notes apps whose session gives customers a tier that is ignored", async () => {
  await patient.reportNode("wrong", { ignoredLimits: 'tier: the policy has no tier "gold"' });
  await patient.reportNode("fine");
  expect(await look()).toMatchObject([
    { status: "ok" },
    {
      status: "note",
      says: expect.stringMatching(/^App shop gives customers a tier or limits that are ignored/),
      details: ['wrong: tier: the policy has no tier "gold"'],
    },
  ]);
});
