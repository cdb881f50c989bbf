import { expect, it } from "vitest";
import { setExpiry } from "./set-expiry.ts";
import { at, ip, testLists } from "./vitest.context.ts";

const lists = testLists();
const list = "blocklist" as const;
const bad = at("203.0.113.9");
const [hour, day] = [3_600_000, 86_400_000];

const set = (life: Parameters<typeof setExpiry>[1]["life"], ctx = lists.ctx()) =>
  setExpiry(ctx, { list, addresses: [bad], life, reason: "false alarm" });

it("sets an earlier and a later end from now, keeps the note, and records each", async () => {
  await lists.client.set("blocklist:203.0.113.9", "by hand", "PX", day);
  expect((await set({ forMs: hour })).outcomes).toMatchObject([{ outcome: "shortened" }]);
  expect(await lists.client.pttl("blocklist:203.0.113.9")).toBeLessThanOrEqual(hour);
  expect((await set({ forMs: 2 * day })).outcomes).toMatchObject([{ outcome: "extended" }]);
  expect(await lists.client.pttl("blocklist:203.0.113.9")).toBeGreaterThan(2 * day - 5_000);
  expect((await set("forever")).outcomes).toMatchObject([{ outcome: "extended", expiresAt: null }]);
  expect((await set({ forMs: hour })).outcomes).toMatchObject([{ outcome: "shortened" }]);
  expect(await lists.client.get("blocklist:203.0.113.9")).toBe("by hand");
  expect(await lists.records()).toMatchObject(
    Array.from({ length: 4 }, () => ({ action: "blocklist.extend", reason: "false alarm" })),
  );
  await lists.expectSoundChain(4);
});

it("writes nothing where the end is the same, or the entry is gone", async () => {
  expect(await set({ forMs: day })).toMatchObject({ change: null, outcomes: [{ outcome: "absent" }] });
  await lists.client.set("blocklist:203.0.113.9", "x");
  expect(await set("forever")).toMatchObject({ change: null, outcomes: [{ outcome: "unchanged" }] });
  expect(await lists.records()).toEqual([]);
});

it("refuses a life that is too short, and an entry that would block the actor", async () => {
  await lists.client.set("blocklist:203.0.113.9", "x", "PX", day);
  expect((await set({ forMs: 1 })).outcomes).toMatchObject([{ outcome: "refused", code: "bad-input" }]);
  const own = lists.ctx({ address: ip("203.0.113.9") });
  expect((await set({ forMs: hour }, own)).outcomes).toMatchObject([{ code: "lockout" }]);
});
