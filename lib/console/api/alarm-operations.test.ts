import { beforeAll, expect, it, vi } from "vitest";
import type { Incident } from "../../manage/alarms/incident.ts";
import type { TokenScope } from "../../manage/tokens/scopes.ts";
import { keys } from "../../redis/keys.ts";
import { testApi } from "./vitest.api.ts";

vi.mock("next/headers", () => ({}));
vi.mock("next/navigation", () => ({}));
beforeAll(() => vi.stubEnv("SLUICE_ALARMS_TO_PRIVATE", undefined));

const api = testApi();
const all: readonly TokenScope[] = ["read", "lists", "alarms", "acknowledge", "ask", "decide"];
const sender = async (scopes = all, name = "ci") => {
  const secret = await api.token(scopes, { name });
  return (method: string, path: string, body?: object, headers?: Record<string, string>) =>
    api.call(method, path, { secret, body, ...(headers && { headers }) });
};
const hook = { name: "On-call", kind: "webhook", to: "https://events.example.com/v2?key=hush" };
const incident = (n: number, endedAt: number | null = null): Incident => ({
  ...{
    id: `incident-${n}`,
    kind: "ban",
    cause: `ban ${n}`,
    title: `Ban ${n}`,
    path: "/",
    leftOut: 0,
    grade: 1,
  },
  ...{ lines: [{ at: n, text: "x" }], openedAt: n, changedAt: n, endedAt, isOfEvents: true, hasNews: false },
  ...{ quietUntil: 0, said: null },
});

it("adds a destination, shows its signing key once, and never its URL", async () => {
  const send = await sender();
  const headers = { "idempotency-key": "one" };
  const added = await send("POST", "/alarm-destinations", hook, headers);
  expect([added.status, added.body.signingKey]).toEqual([201, expect.stringMatching(/^whs_/)]);
  const { id } = added.body.destination;
  const replayed = await send("POST", "/alarm-destinations", hook, headers);
  expect(replayed.headers.get("idempotency-replayed")).toBe("true");
  expect(replayed.body).toEqual({ ...added.body, signingKey: null });
  const stored = await api.log.client.keys("*");
  const texts = await Promise.all(
    stored.map(async (key) =>
      (await api.log.client.type(key)) === "string"
        ? api.log.client.get(key)
        : JSON.stringify(await api.log.client.hgetall(key).catch(() => "")),
    ),
  );
  expect(texts.join("\n")).not.toMatch(/whs_|hush/);
  const listed = await send("GET", "/alarm-destinations");
  expect(listed.body.destinations).toMatchObject([
    { id, name: "On-call", shown: "https://events.example.com/v2", waiting: 0, givenUp: 0, last: null },
  ]);
  const one = "/alarm-destinations/On-call";
  expect((await send("PUT", one, { isOn: false, alarms: ["ban"] })).body.destination).toMatchObject({
    ...{ isOn: false, alarms: ["ban"] },
  });
  const tested = await send("POST", `${one}/test`);
  const message = `/alarm-messages/${tested.body.message}`;
  expect((await send("GET", message)).body).toMatchObject({ state: "waiting", event: "test", failure: null });
  expect((await send("POST", `${message}/send-again`)).status).toBe(404);
  const queued = JSON.parse((await api.log.client.hget(keys.alarmDeliveries(), tested.body.message)) ?? "");
  const dead = JSON.stringify({ ...queued, isDead: true, failure: "HTTP 502" });
  await api.log.client.hset(keys.alarmDeliveries(), tested.body.message, dead);
  expect((await send("GET", message)).body).toMatchObject({ state: "given up", failure: "HTTP 502" });
  expect((await send("POST", `${message}/send-again`)).status).toBe(200);
  expect((await send("GET", message)).body.state).toBe("waiting");
  expect((await send("DELETE", one)).body.destination.id).toBe(id);
  expect((await send("DELETE", one)).status).toBe(404);
  expect((await api.records()).map(({ action }) => action)).toEqual([
    ...["alarm.add", "alarm.change", "alarm.test", "alarm.resend", "alarm.remove"],
  ]);
});

it("switches an alarm, and lists incidents page by page", async () => {
  const send = await sender();
  const changed = await send("PUT", "/alarms/ban", { isOn: false, quietSeconds: 600 });
  expect(changed.body).toEqual({ kind: "ban", isOn: false, quietSeconds: 600, dryRun: false });
  expect((await send("GET", "/alarms")).body.alarms).toContainEqual({
    kind: "ban",
    isOn: false,
    quietSeconds: 600,
  });
  expect((await send("PUT", "/alarms/ban", { quietSeconds: 1 })).status).toBe(400);
  expect((await send("PUT", "/alarms/none", { isOn: true })).status).toBe(400);
  for (const one of [incident(1), incident(2)])
    await api.log.client.hset(keys.alarmIncidents(), one.id, JSON.stringify(one));
  await api.log.client.hset(keys.alarmEnded(), "incident-3", JSON.stringify(incident(3, 4)));
  const ids = ({ body }: { body: { incidents: { id: string }[] } }) => body.incidents.map(({ id }) => id);
  const first = await send("GET", "/incidents?limit=2");
  expect([ids(first), first.body.next]).toEqual([["incident-3", "incident-2"], "incident-2"]);
  const last = await send("GET", `/incidents?limit=2&cursor=${first.body.next}`);
  expect([ids(last), last.body.next]).toEqual([["incident-1"], null]);
  expect(ids(await send("GET", "/incidents?state=open"))).toEqual(["incident-2", "incident-1"]);
  expect(ids(await send("GET", "/incidents?state=ended"))).toEqual(["incident-3"]);
  expect((await send("GET", "/incidents?cursor=none")).status).toBe(400);
  const dry = await send("POST", "/incidents/incident-1/acknowledge?dryRun=true");
  expect(dry.body).toMatchObject({ acknowledged: { by: "token:ci" }, dryRun: true });
  expect((await send("GET", "/incidents/incident-1")).body.acknowledged).toBe(null);
  await send("POST", "/incidents/incident-1/acknowledge");
  expect((await send("GET", "/incidents/incident-1")).body.acknowledged.by).toBe("token:ci");
  expect((await send("GET", "/incidents/none")).status).toBe(404);
});

it("takes requests to staff, and decides them with lockout protection", async () => {
  const send = await sender();
  const wish = { kind: "block", target: "203.0.113.7", expiresIn: "24h", reason: "scans the login" };
  const foreseen = await send("POST", "/requests?dryRun=true", wish);
  expect([foreseen.status, foreseen.body.dryRun]).toEqual([200, true]);
  const made = await send("POST", "/requests", wish);
  expect([made.status, made.body.request]).toMatchObject([
    201,
    { ttlSeconds: 86_400, role: "token", decision: null },
  ]);
  const one = `/requests/${made.body.request.id}`;
  expect((await send("POST", "/requests", wish)).status).toBe(400);
  const dry = await send("POST", `${one}/decide?dryRun=true`, { confirm: true });
  expect(dry.body).toMatchObject({ request: { decision: { is: "confirmed" } }, change: null, dryRun: true });
  expect((await send("GET", one)).body.decision).toBe(null);
  expect(await api.log.client.exists("blocklist:203.0.113.7")).toBe(0);
  const declines = await sender(["decide"], "declines");
  expect((await declines("POST", `${one}/decide`, { confirm: true })).status).toBe(403);
  const confirmed = await send("POST", `${one}/decide`, { confirm: true, word: "thanks" });
  expect(confirmed.body).toMatchObject({
    request: { decision: { word: "thanks" } },
    change: expect.any(Number),
  });
  expect(await api.log.client.exists("blocklist:203.0.113.7")).toBe(1);
  expect((await send("POST", `${one}/decide`, { confirm: false })).status).toBe(409);
  const own = await send("POST", "/requests", { ...wish, target: "127.0.0.1" });
  const refused = await send("POST", `/requests/${own.body.request.id}/decide`, { confirm: true });
  expect([refused.status, refused.body.code]).toEqual([409, "lockout"]);
  expect((await declines("POST", `/requests/${own.body.request.id}/decide`, { confirm: false })).status).toBe(
    200,
  );
  const open = await send("GET", "/requests?state=open");
  expect(open.body).toEqual({ requests: [], next: null });
  const page = await send("GET", "/requests?state=decided&limit=1");
  expect(page.body).toMatchObject({ requests: [{ id: page.body.next }] });
  const rest = await send("GET", `/requests?state=decided&limit=1&cursor=${page.body.next}`);
  expect(rest.body).toMatchObject({ requests: [{ decision: {} }], next: null });
});

it("refuses what the token has no scope for, and writes nothing in a dry run", async () => {
  const read = await sender(["read"], "reader");
  const others = await sender(["lists", "policy", "feeds", "customers"], "others");
  const attempts: [string, string, object?][] = [
    ["POST", "/alarm-destinations", hook],
    ["PUT", "/alarm-destinations/x", { isOn: true }],
    ["DELETE", "/alarm-destinations/x"],
    ["POST", "/alarm-destinations/x/test"],
    ["PUT", "/alarms/ban", { isOn: true }],
    ["POST", "/alarm-messages/x/send-again"],
    ["POST", "/incidents/x/acknowledge"],
    ["POST", "/requests", { kind: "change", target: "x", reason: "y" }],
    ["POST", "/requests/x/decide", { confirm: false }],
  ];
  for (const send of [read, others])
    for (const [method, path, body] of attempts)
      expect((await send(method, path, body)).status, `${method} ${path}`).toBe(403);
  const send = await sender();
  const dry = await send("POST", "/alarm-destinations?dryRun=true", hook);
  expect([dry.status, dry.body]).toMatchObject([200, { signingKey: null, dryRun: true }]);
  expect((await send("POST", "/alarm-destinations", { ...hook, to: "http://127.0.0.1/" })).status).toBe(400);
  expect(await api.log.client.exists(keys.alarmDestinations(), keys.alarmSecrets(), keys.requests())).toBe(0);
});
