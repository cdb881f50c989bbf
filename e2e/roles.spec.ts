import type { APIRequestContext } from "@playwright/test";
import { type Role, roles } from "@/lib/manage/users/roles.ts";
import { setRole } from "@/lib/manage/users/set-role.ts";
import { expect, test } from "./fixtures/console-test.ts";
import { people } from "./fixtures/people.ts";
import { builtActions, postAction, postRead } from "./fixtures/post-action.ts";

const week = 604_800_000;
const everybody = roles;
const ofLists: readonly Role[] = ["staff", "admin"];
const ofCustomers: readonly Role[] = ["support", "admin"];
const ofRecords: readonly Role[] = ["staff", "support", "admin"];
const asking: readonly Role[] = ["viewer", "staff", "support"];
const admins: readonly Role[] = ["admin"];
const nothing = { n: 999_999 };

/** A read that is posted, and guarded like an action. */
const preview = "POST /api/lists/blocklist/preview";

/** What each action is posted with, and who may do that: design's table, once more. */
const table: readonly (readonly [action: string, input: unknown, allowed: readonly Role[]])[] = [
  [preview, { text: "203.0.113.5", ttlMs: week, reason: "", confirmed: [] }, ofLists],
  [
    "lists:addLines",
    { list: "blocklist", addresses: ["203.0.113.5"], ttlMs: week, reason: "x", confirmed: [] },
    ofLists,
  ],
  [
    "lists:addLines",
    { list: "safelist", addresses: ["203.0.113.6"], ttlMs: week, reason: "x", confirmed: [] },
    ofLists,
  ],
  [
    "lists:addLines",
    { list: "blocklist", addresses: ["203.0.113.7"], ttlMs: null, reason: "x", confirmed: [] },
    admins,
  ],
  ["denials:setRetention", { days: 99, reason: "x" }, admins],
  ["lists:extendMany", { list: "blocklist", addresses: ["203.0.113.5"], forMs: week, reason: "x" }, ofLists],
  [
    "lists:tagMany",
    { list: "blocklist", addresses: ["203.0.113.5"], tags: { add: ["x"] }, reason: "x" },
    ofLists,
  ],
  ["lists:extendMany", { list: "blocklist", addresses: ["203.0.113.5"], forMs: null, reason: "x" }, admins],
  [
    "lists:extendMany",
    { list: "blocklist", addresses: ["203.0.113.5"], forMs: 13 * week, reason: "x" },
    admins,
  ],
  [
    "lists:importText",
    {
      list: "blocklist",
      text: "203.0.113.8",
      ttlMs: week,
      reason: "x",
      confirmed: [],
      expected: ["203.0.113.8"],
    },
    ofLists,
  ],
  [
    "lists:importText",
    {
      list: "blocklist",
      text: "203.0.113.9",
      ttlMs: null,
      reason: "x",
      confirmed: [],
      expected: ["203.0.113.9"],
    },
    admins,
  ],
  ["lists:setExpiry", { list: "blocklist", addresses: ["203.0.113.5"], ttlMs: week, reason: "x" }, ofLists],
  ["lists:setExpiry", { list: "blocklist", addresses: ["203.0.113.5"], ttlMs: null, reason: "x" }, admins],
  ["notes:addNote", { kind: "client", id: "203.0.113.5", text: "x" }, ofLists],
  ["notes:addNote", { kind: "customer", id: "1042", text: "x" }, ofCustomers],
  ["notes:setTicket", { kind: "client", id: "203.0.113.5", text: "x" }, ofLists],
  ["notes:setTicket", { kind: "customer", id: "1042", text: "x" }, ofCustomers],
  ["notes:removeNote", { kind: "client", id: "203.0.113.5", place: 9, written: "" }, ofLists],
  ["notes:removeNote", { kind: "customer", id: "1042", place: 9, written: "" }, ofCustomers],
  ["notes:setLink", { kind: "client", name: "Logs", template: "https://logs.example.org/{ip}" }, admins],
  ["notes:removeLink", { kind: "client", name: "Logs" }, admins],
  ["lists:removeMany", { list: "blocklist", addresses: ["203.0.113.5"], reason: "x" }, ofLists],
  ["customers:setTier", { id: "1042", tier: "pro", reason: "x" }, ofCustomers],
  [
    "customers:setOverride",
    { id: "1042", levels: [{ limit: 5, periodSeconds: 60 }], expiresInMs: week, reason: "x" },
    ofCustomers,
  ],
  ["customers:clearOverride", { id: "1042", reason: "x" }, ofCustomers],
  ["customers:suspend", { id: "1042", expiresInMs: week, reason: "x" }, ofCustomers],
  ["customers:resume", { id: "1042", reason: "x" }, ofCustomers],
  ["customers:resetCounters", { id: "1042", reason: "x" }, ofCustomers],
  ["policy:switchMode", { mode: "shadow", reason: "x" }, ofLists],
  ["policy:switchMode", { mode: "off", reason: "x" }, ofLists],
  ["policy:switchMode", { mode: "enforce", reason: "x" }, admins],
  ["policy:startAttack", { minutes: 15, reason: "x" }, ofLists],
  ["policy:endAttack", { reason: "x" }, ofLists],
  [
    "policy:publishPolicy",
    { policy: { mode: "enforce", rules: [], tiers: {} }, basedOn: 9_999, reason: "x" },
    admins,
  ],
  ["policy:rollBack", { version: 0, basedOn: 9_999, reason: "x" }, admins],
  [
    "policy:changeLimit",
    { limit: "shop/export", levels: [{ limit: 5, periodSeconds: 60 }], mode: null, reason: "x" },
    admins,
  ],
  ["edge:switchEdge", { isOn: false, reason: "x" }, admins],
  ["edge:switchEdge", { isOn: true, reason: "x" }, admins],
  ["edge:clearEdge", { clients: ["203.0.113.5"], reason: "x" }, ofLists],
  ["POST /api/feeds/preview", { source: "ftp://x", list: "blocklist", isWideConfirmed: false }, admins],
  [
    "feeds:addFeed",
    {
      ...{ name: "x", list: "blocklist", source: "ftp://x", mode: "shadow", isWideConfirmed: false },
      ...{ everyMs: 3_600_000, keepMs: null, holdPercent: 50 },
    },
    admins,
  ],
  ["feeds:changeFeed", { id: "none", isPaused: true }, admins],
  ["feeds:changeFeed", { id: "none", isPaused: false }, admins],
  ["feeds:changeFeed", { id: "none", mode: "enforce" }, admins],
  ["feeds:changeFeed", { id: "none", mode: "shadow" }, admins],
  ["feeds:changeFeed", { id: "none", isWideConfirmed: true }, admins],
  ["feeds:changeFeed", { id: "none", source: "AS64500", everyMs: 3_600_000, keysTtlMs: null }, admins],
  ["feeds:refreshFeed", { id: "none" }, admins],
  ["feeds:decideFeed", { id: "none", digest: "", accept: true }, admins],
  ["feeds:decideFeed", { id: "none", digest: "", accept: false }, admins],
  ["feeds:removeFeed", { id: "none" }, admins],
  ["POST /api/overrides/preview", { name: "*", levels: [], members: [] }, ofCustomers],
  ["overrides:saveOverride", { name: "premium_*", tier: "none", reason: "x" }, ofCustomers],
  ["overrides:removeOverride", { name: "none_*", reason: "x" }, ofCustomers],
  ["lists:protect", { range: "192.0.2.0/28", reason: "x" }, admins],
  ["lists:unprotect", { range: "192.0.2.0/28", reason: "x" }, admins],
  ["users:invite", { email: "new@example.org", role: "viewer" }, admins],
  ["users:changeRole", { email: "new@example.org", role: "staff" }, admins],
  ["users:reset", { email: "new@example.org" }, admins],
  ["users:remove", { email: "new@example.org" }, admins],
  ["users:changePassword", { current: "not it", password: "does not matter here" }, everybody],
  ["tokens:createToken", { name: "WAF exporter", scopes: ["lists"], expiresInMs: week }, admins],
  ["tokens:revokeToken", { name: "WAF exporter" }, admins],
  ["alarms:addDestination", { name: "x", kind: "webhook", to: "ftp://x", alarms: ["attack"] }, admins],
  ["alarms:changeDestination", { id: "none", isOn: false }, admins],
  ["alarms:removeDestination", { id: "none" }, admins],
  ["alarms:testDestination", { id: "none" }, admins],
  ["alarms:changeCondition", { kind: "ban", isOn: true }, admins],
  ["alarms:sendAgain", { id: "none" }, admins],
  ["alarms:acknowledgeIncident", { id: "none" }, ofRecords],
  ["requests:makeRequest", { kind: "block", target: "no address", ttlMs: week, reason: "x" }, asking],
  ["requests:decideRequest", { id: "none", isConfirmed: true, word: "" }, ofLists],
  ["audit:undoChange", nothing, ofRecords],
  ["lists:restoreLists", { reason: "x" }, admins],
  ["lists:dismissLoss", { reason: "x" }, admins],
];

/** Asked for by whoever holds a link: no session, no role. */
const forAll = ["users:choosePassword", "users:choosePasswordAndLeave"];

test("this table has every action that the console has", () => {
  const named = new Set([...table.map(([action]) => action), ...forAll]);
  expect([...builtActions().keys()].filter((name) => !named.has(name))).toEqual([]);
});

for (const role of roles) {
  test(`a ${role} may do what the table says, and what is refused leaves one audit line a minute and nothing else`, async ({
    signedIn,
    sluice,
  }) => {
    const page = await signedIn(role);
    const refused = new Set<string>();
    for (const [action, input, allowed] of table) {
      const before = await standing(sluice.redis.client);
      const result = await send(page.request, { name: action, url: sluice.url, input });
      const name = `${role}, ${action} ${JSON.stringify(input)}`;
      if (allowed.includes(role)) {
        expect(result?.error?.message ?? "", name).not.toContain("Your role");
        continue;
      }
      expect(result?.error?.message, name).toMatch(/^Your role, \w+, may not do this/);
      const lines = await newRecords(sluice.redis.client, before.records);
      const told = lines.map((line) => [line.actor, line.action.startsWith("refused:"), line.changes]);
      // Further ones of the same action within the minute are only counted.
      expect(told, name).toEqual(refused.has(action) ? [] : [[people[role].email, true, []]]);
      refused.add(action);
      expect((await standing(sluice.redis.client)).rest, name).toEqual(before.rest);
    }
  });
}

test("nobody who is not signed in gets anything done, nor anything told", async ({ signedOut, sluice }) => {
  const page = await signedOut();
  const before = await standing(sluice.redis.client);
  for (const [action, input] of table) {
    const result = await send(page.request, { name: action, url: sluice.url, input });
    expect(result?.error?.code, action).toBe("signed-out");
  }
  for (const path of [
    "/api/status",
    "/api/users",
    "/api/tokens",
    "/api/overview?range=15m",
    "/api/lists/blocklist",
    "/api/audit",
    "/api/edge",
    "/api/feeds",
    "/api/overrides",
    "/api/alarms",
    "/api/edge/limited?from=0&to=100",
  ])
    expect((await page.request.get(path)).status(), path).toBe(401);
  expect(await standing(sluice.redis.client)).toEqual(before);
});

test("an action or a posted read from elsewhere is refused, and so is one that does not say where it comes from", async ({
  signedIn,
  sluice,
}) => {
  const page = await signedIn("admin");
  const before = await standing(sluice.redis.client);
  const [, input] = table.find(([name]) => name === "lists:addLines") ?? [];
  const id = idOf(builtActions(), "lists:addLines");
  const foreign = await postAction(page.request, {
    id,
    url: sluice.url,
    input,
    headers: { origin: "https://evil.example" },
  });
  expect(foreign.result?.ok ?? false).toBe(false);
  const missing = await withoutOrigin(page.request, { id, url: sluice.url, input });
  expect(missing).toBe(true);
  const [, lines] = table.find(([name]) => name === preview) ?? [];
  for (const origin of ["https://evil.example", undefined]) {
    const path = `${sluice.url}/api/lists/blocklist/preview`;
    const { status } = await postRead(page.request, { url: path, input: lines, headers: { origin } });
    expect(status, origin).toBe(403);
  }
  expect(await standing(sluice.redis.client)).toEqual(before);
});

test("a role that is lowered applies at the next click, without signing out first", async ({
  signedIn,
  sluice,
}) => {
  const page = await signedIn("staff");
  // The page's own reads are refused, too, once its session has ended.
  await page.goto("about:blank");
  const add = { list: "blocklist", addresses: ["203.0.113.55"], ttlMs: week, reason: "x", confirmed: [] };
  const post = () =>
    postAction(page.request, { id: idOf(builtActions(), "lists:addLines"), url: sluice.url, input: add });
  expect((await post()).result?.ok).toBe(true);
  await setRole({ ...sluice.as("admin"), hasSso: false }, { email: people.staff.email, role: "viewer" });
  expect((await post()).result?.error?.code).toBe("signed-out");
  expect((await page.request.get("/api/status")).status()).toBe(401);
  await setRole({ ...sluice.as("admin"), hasSso: false }, { email: people.staff.email, role: "staff" });
});

interface Sent {
  readonly name: string;
  readonly url: string;
  readonly input: unknown;
}

/** Sends an action, or a read that is posted. */
async function send(request: APIRequestContext, { name, url, input }: Sent) {
  if (!name.startsWith("POST "))
    return (await postAction(request, { id: idOf(builtActions(), name), url, input })).result;
  return (await postRead(request, { url: url + name.slice("POST ".length), input })).result;
}

function idOf(actions: ReadonlyMap<string, string>, name: string): string {
  const id = actions.get(name);
  if (id === undefined) throw new Error(`the console has no action ${name}`);
  return id;
}

/** Playwright sends no Origin by itself. */
async function withoutOrigin(
  request: APIRequestContext,
  { id, url, input }: { id: string; url: string; input: unknown },
): Promise<boolean> {
  const response = await request.post(`${url}/`, {
    headers: { "next-action": id, "content-type": "text/plain;charset=UTF-8", accept: "text/x-component" },
    data: JSON.stringify([input]),
  });
  return !(await response.text()).includes('{"ok":true');
}

type Client = import("@/lib/redis/testing.ts").TestRedis["client"];

/** Everything in Redis that an action may change, and the number of records. Left out: what nodes write, also to probe the server. */
async function standing(client: Client) {
  const names = (await client.keys("*")).filter(
    (name) =>
      !/^sluice:(alarms:(?!destinations|secrets|conditions|acknowledged)|snapshot|probe:|live:probe|live:edge|live:change$|changes$|change:|audit|node|session|series|hitters|apps|feed|samples|evidence|owners|totals|lease|limits$|overrides:used$|counters|earrrl|sign|edge:(?!switch))/.test(
        name,
      ) && !name.startsWith("rack::"),
  );
  const rest: [string, string][] = [];
  for (const name of names.sort())
    rest.push([name, String((await client.dumpBuffer(name))?.toString("base64"))]);
  return { rest, records: await client.xlen("sluice:audit") };
}

interface Line {
  readonly actor: string;
  readonly action: string;
  readonly changes: readonly unknown[];
}

async function newRecords(client: Client, known: number): Promise<Line[]> {
  const entries = await client.xrange("sluice:audit", "-", "+");
  return entries.slice(known).map(([, fields]) => JSON.parse(fields[fields.indexOf("record") + 1] ?? "{}"));
}
