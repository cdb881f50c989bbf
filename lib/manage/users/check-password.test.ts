import { beforeEach, describe, expect, it } from "vitest";
import { parseIp } from "../../ip/parse.ts";
import { testLog } from "../audit/vitest.log.ts";
import { changeOwnPassword } from "./change-password.ts";
import { checkPassword } from "./check-password.ts";
import { inviteUser } from "./invite.ts";
import { argon2id } from "./password.ts";
import { findSession } from "./sessions.ts";
import { signIn } from "./sign-in.ts";
import { listUsers } from "./users.ts";
import { testPasswordChecks } from "./vitest.sign-in.ts";
import { goodPassword, settle, storedUser } from "./vitest.users.ts";

const log = testLog();
const at = testPasswordChecks(log);
const email = "ops@example.org";
const parsed = parseIp("198.51.100.24");
const address = parsed.ok ? parsed.value : undefined;

const check = (given: Partial<Parameters<typeof checkPassword>[1]> = {}, door = at.door) =>
  checkPassword(door, { email, password: goodPassword, address, ...given });
const lastRecord = async () => (await log.records()).at(-1);

beforeEach(() => settle(log.signed({ name: "cli:root", via: "cli" }), email, "staff"));

describe("checkPassword", () => {
  it("lets in who knows the password, however the email is spelled", async () => {
    expect(await check({ email: " OPS@Example.org" })).toMatchObject({
      outcome: "right",
      email,
      user: { role: "staff" },
    });
  });

  it("tells and records alike a wrong password and a user who does not exist", async () => {
    const wrong = await check({ password: "not the password" });
    const unknown = await check({ email: "no@example.org" });
    const invited = await inviteUser(log.signed(), { email: "new@example.org", role: "staff" });
    const waiting = await check({ email: invited.email, password: "" });
    expect([wrong.outcome, unknown.outcome, waiting.outcome]).toEqual(["wrong", "wrong", "wrong"]);
    await at.flush();
    expect((await log.records()).filter(({ action }) => action === "refused:sign-in")).toMatchObject([
      { actor: "unknown", address, reason: `1 attempt for ${email}` },
      { reason: `2 more for new@example.org` },
    ]);
  });

  it("never puts on record what was typed for an email", async () => {
    await check({ email: "my secret@password" });
    await check({ email: "secret@password" });
    await at.flush();
    expect(JSON.stringify(await log.records())).not.toContain("secret");
  });

  it("does the same work for everybody", async () => {
    const asked: [boolean, boolean][] = [];
    const counting = at.with({
      ...argon2id,
      async isRight(hash, password) {
        const answer = await argon2id.isRight(hash, password);
        asked.push([hash !== undefined, answer]);
        return answer;
      },
    });
    await check({ password: "wrong" }, counting);
    await check({ email: "no@example.org" }, counting);
    await check({ email: "no email at all" }, counting);
    expect(asked).toEqual([
      [true, false],
      [false, false],
      [false, false],
    ]);
  });

  it("takes as long for an unknown user as for a known one", async () => {
    const times = { known: [] as number[], unknown: [] as number[] };
    const timed = async (into: number[], hash: string | undefined) => {
      const from = performance.now();
      await argon2id.isRight(hash, "a wrong password");
      into.push(performance.now() - from);
    };
    const hash = (await log.client.hget("sluice:passwords", email)) ?? undefined;
    for (let i = 0; i < 15; i++) {
      await timed(times.known, hash);
      await timed(times.unknown, undefined);
    }
    const fastest = (of: number[]) => Math.min(...of);
    expect(fastest(times.unknown) / fastest(times.known)).toBeGreaterThan(0.6);
    expect(fastest(times.unknown) / fastest(times.known)).toBeLessThan(1.7);
  });

  it("does not even look once attempts are used up, though the password is right", async () => {
    for (let i = 0; i < 5; i++) await check({ password: "wrong" });
    expect(await check()).toEqual({ outcome: "throttled", attempts: { left: 0, of: 5, waitMs: 60_000 } });
    at.pass(60);
    expect(await check()).toMatchObject({ outcome: "right" });
  });

  it.each([
    [email, 1],
    ["no@example.org", 0],
  ])(
    "records once that an account is slowed down, and nothing of an unknown one: %s, %i records",
    async (whose, count) => {
      const failing = at.with({ ...argon2id, isRight: async () => false });
      for (let i = 0; i < 52; i++) {
        // From an address without a sign-in: attempts beyond the fiftieth take turns, and two of them are enough.
        const from = parseIp(`203.0.113.${i}`);
        await check({ email: whose, ...(from.ok && { address: from.value }) }, failing);
      }
      await at.flush();
      const slowed = (await log.records()).filter(({ reason }) => /slowed down|take turns/.test(reason));
      expect(slowed).toHaveLength(count);
      for (const { reason } of slowed) expect(reason).toContain(email);
    },
  );

  it("is not taken in by a hash that is none", async () => {
    await log.client.hset("sluice:passwords", email, "$argon2id$v=19$broken");
    expect(await check()).toMatchObject({ outcome: "wrong" });
    expect(await check({ password: "" })).toMatchObject({ outcome: "wrong" });
    expect(await check({ password: "x".repeat(1_000_000) })).toMatchObject({ outcome: "wrong" });
  });
});

describe("signIn", () => {
  it("opens a session and puts it on record, with the address", async () => {
    const ctx = log.signed({ name: email, ...(address && { address }) });
    const { version = 0 } = (await storedUser(log.client, email)) ?? {};
    const id = await signIn(ctx, { email, version, by: "password" }, () => {});
    expect(await findSession(ctx.redis, id, { isActivity: false })).toMatchObject({ email, role: "staff" });
    const record = { action: "sign-in", actor: email, address, reason: "by password", changes: [] };
    expect(await lastRecord()).toMatchObject(record);
    expect(JSON.stringify(await log.records())).not.toContain(id);
    const [user] = await listUsers(ctx.redis);
    expect(user).toMatchObject({ email, sessions: 1, canSignIn: true, lastSignIn: { by: "password" } });
  });

  it("signs a user in although the log is damaged", async () => {
    await log.client.rename("sluice:audit", "sluice:audit:before");
    await log.client.set("sluice:audit", "no stream");
    const said: string[] = [];
    const { version = 0 } = (await storedUser(log.client, email)) ?? {};
    const id = await signIn(log.signed(), { email, version, by: "password" }, (line) => said.push(line));
    expect(await findSession(log.connect(), id, { isActivity: false })).toMatchObject({ email });
    expect(said).toEqual([expect.stringContaining("cannot be continued")]);
  });
});

describe("changeOwnPassword", () => {
  const session = async () => {
    const { version = 0 } = (await storedUser(log.client, email)) ?? {};
    return signIn(log.signed({ name: email }), { email, version, by: "password" }, () => {});
  };
  const change = (sessionId: string, current = goodPassword, password = "another long password") =>
    changeOwnPassword(log.signed({ name: email, ...(address && { address }) }), at.door, {
      ...{ sessionId, current, password },
    });
  const isOpen = async (id: string) =>
    (await findSession(log.connect(), id, { isActivity: false })) !== undefined;

  it("sets it, and ends every session but the one that asked", async () => {
    const [mine, other] = [await session(), await session()];
    await change(mine);
    expect([await isOpen(mine), await isOpen(other)]).toEqual([true, false]);
    expect(await log.client.pttl(`sluice:session:${mine}`)).toBeGreaterThan(0);
    expect(await lastRecord()).toMatchObject({
      action: "user.password",
      actor: email,
      reason: "by the user",
    });
    expect(JSON.stringify(await log.records())).not.toContain("argon2id");
    expect(await check()).toMatchObject({ outcome: "wrong" });
    expect(await check({ password: "another long password" })).toMatchObject({ outcome: "right" });
  });

  it("refuses a wrong current one as often as a sign-in would be, and a weak new one", async () => {
    const mine = await session();
    const { length } = await log.records();
    await expect(change(mine, goodPassword, "short")).rejects.toMatchObject({ code: "bad-input" });
    for (let i = 0; i < 5; i++)
      await expect(change(mine, "wrong")).rejects.toMatchObject({ fields: { current: expect.any(String) } });
    await expect(change(mine)).rejects.toThrow("Too many wrong passwords. Try again in 60 s.");
    at.pass(60);
    expect(await log.records()).toHaveLength(length + 1);
    await change(mine);
    expect(await isOpen(mine)).toBe(true);
  });
});
