import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Fingerprint } from "../../enforce/edge/sightings.ts";
import type { Limited } from "../../manage/edge/decide.ts";
import { readLimited, writeLimited } from "../../manage/edge/limited.ts";
import { findSwitch } from "../../manage/edge/switch.ts";
import { broad, standard } from "../../manage/edge/vitest.edge.ts";
import { roles } from "../../manage/users/roles.ts";
import { clearEdge, switchEdge } from "./edge.ts";
import { request, testActions } from "./vitest.actions.ts";

vi.mock("next/headers", () => ({
  headers: async () => request.headers,
  cookies: async () => ({
    get: (name: string) => (request.cookies.has(name) ? { value: request.cookies.get(name) } : undefined),
  }),
}));
vi.mock("next/navigation", () => ({ redirect: () => {} }));

const console = testActions();
const [login, search, tool] = [
  standard("203.0.113.9", "/login"),
  standard("203.0.113.9", "/search"),
  broad("198.51.100.7"),
];

beforeEach(() => limit(login, search, tool));

async function limit(...fingerprints: readonly Fingerprint[]): Promise<void> {
  const until = Date.now() + 600_000;
  const all = fingerprints.map(
    (fingerprint): Limited => ({ fingerprint, since: 1, lastOver: 1, count: 500, limit: 120, until }),
  );
  await writeLimited(
    console.log.signed().redis,
    new Map(),
    new Map(all.map((one) => [one.fingerprint.key, one])),
  );
}

const limitedKeys = async () =>
  (await readLimited(console.log.signed().redis)).map(({ fingerprint }) => fingerprint.key).toSorted();
const all = [login.key, search.key, tool.key].toSorted();
const isOn = async () => (await findSwitch(console.log.signed().redis)).isOn;

describe("the switch", () => {
  it.each(roles)("%s", async (role) => {
    const email = await console.signIn(role);
    const result = await switchEdge({ isOn: false, reason: "shoppers are denied" });
    const [record] = (await console.records()).slice(-1);
    if (role === "admin") {
      expect(result).toEqual({ ok: true, value: { hasChanged: true } });
      expect(record).toMatchObject({ action: "edge.off", actor: email, reason: "shoppers are denied" });
      expect(await isOn()).toBe(false);
      return;
    }
    expect(result).toMatchObject({ ok: false, error: { code: "not-allowed" } });
    expect(record).toMatchObject({ action: "refused:edge.switch", actor: email });
    expect(await isOn()).toBe(true);
  });

  it.each(["", "   ", "x".repeat(501)])("takes no reason such as %j", async (reason) => {
    await console.signIn("admin");
    expect(await switchEdge({ isOn: false, reason })).toMatchObject({
      ok: false,
      error: { code: "bad-input", fields: { reason: expect.any(String) } },
    });
    expect(await isOn()).toBe(true);
  });

  it("says so when another change came first, and writes nothing", async () => {
    await console.signIn("admin");
    await switchEdge({ isOn: false, reason: "one" });
    expect(await switchEdge({ isOn: false, reason: "two" })).toEqual({
      ok: true,
      value: { hasChanged: false },
    });
    expect((await console.records()).map(({ reason }) => reason)).toEqual(["one"]);
  });
});

describe("letting in", () => {
  it.each(roles)("%s", async (role) => {
    const email = await console.signIn(role);
    const result = await clearEdge({ clients: [login.key] });
    const [record] = (await console.records()).slice(-1);
    if (role === "staff" || role === "admin") {
      expect(result).toMatchObject({ ok: true, value: { cleared: [{ key: login.key, path: "/login" }] } });
      expect(record).toMatchObject({ action: "edge.clear", actor: email, changes: [{ after: null }] });
      expect(await limitedKeys()).toEqual([search.key, tool.key].toSorted());
      return;
    }
    expect(result).toMatchObject({ ok: false, error: { code: "not-allowed" } });
    expect(record).toMatchObject({ action: "refused:edge.clear", actor: email });
    expect(await limitedKeys()).toEqual(all);
  });

  it("by address lets in everything that it is denied for", async () => {
    await console.signIn("staff");
    await clearEdge({ clients: [" 203.0.113.9 "], reason: "a customer's office" });
    expect(await limitedKeys()).toEqual([tool.key]);
  });

  it.each([[[]], [["192.0.2.1"]], [Array.from({ length: 201 }, () => login.key)], [[""]]])(
    "takes nothing like %j",
    async (clients) => {
      await console.signIn("staff");
      expect(await clearEdge({ clients })).toMatchObject({ ok: false });
      expect(await limitedKeys()).toEqual(all);
      expect(await console.records()).toEqual([]);
    },
  );

  it("takes nothing from a page of another site", async () => {
    await console.signIn("admin");
    request.headers = new Headers({ origin: "http://evil.example.org", host: "console.example.org" });
    expect(await clearEdge({ clients: [login.key] })).toMatchObject({
      ok: false,
      error: { code: "not-allowed" },
    });
    expect(await limitedKeys()).toEqual(all);
  });
});
