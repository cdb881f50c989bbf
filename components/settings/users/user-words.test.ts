import { expect, it } from "vitest";
import type { UserRow } from "@/lib/queries/users.ts";
import { protection, roleIsElsewhere, sayEndedSessions, sayWaiting } from "./user-words.ts";

const user: UserRow = {
  ...{ email: "ops@example.org", role: "staff", by: "password", since: "2026-05-01T08:00:00.000Z" },
  ...{ canSignIn: true, lastSignIn: null, sessions: 0 },
};
const now = Date.parse("2026-05-02T08:00:00Z");

it("says what ends", () => {
  expect(sayEndedSessions(user)).toBe("No session is open.");
  expect(sayEndedSessions({ sessions: 1 })).toBe("1 open session ends at once.");
  expect(sayEndedSessions({ sessions: 3 })).toBe("3 open sessions end at once.");
});

it("says why a user cannot sign in", () => {
  const waiting = { ...user, canSignIn: false };
  expect(sayWaiting(user, now)).toBeUndefined();
  expect(sayWaiting({ ...waiting, linkUntil: "2026-05-03T08:00:00.000Z" }, now)).toContain("not used");
  expect(sayWaiting({ ...waiting, linkUntil: "2026-05-02T08:00:00.000Z" }, now)).toContain("expired");
  expect(sayWaiting(waiting, now)).toContain("expired");
});

it("protects one's own row, and leaves roles to single sign-on", () => {
  expect(protection(user, "ops@example.org")).toContain("another admin");
  expect(protection(user, "root@example.org")).toBeUndefined();
  expect(roleIsElsewhere(user)).toBeUndefined();
  expect(roleIsElsewhere({ ...user, by: "sso" })).toContain("provider");
});
