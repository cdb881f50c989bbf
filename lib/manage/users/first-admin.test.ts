import { describe, expect, it } from "vitest";
import { environment } from "../../env.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { testLog } from "../audit/vitest.log.ts";
import { acceptLink } from "./accept-link.ts";
import { changeOwnPassword } from "./change-password.ts";
import { makeFirstAdmin, welcomeFirstAdmin } from "./first-admin.ts";
import { FirstAdminWatch } from "./first-admin-watch.ts";
import { inviteUser } from "./invite.ts";
import { argon2id } from "./password.ts";
import { removeUser } from "./remove.ts";
import { resetUser } from "./reset.ts";
import { openSession } from "./sessions.ts";
import { testPasswordChecks } from "./vitest.sign-in.ts";
import { goodPassword, settle, storedUser } from "./vitest.users.ts";

const log = testLog();
const nothing = { adminEmail: undefined, adminPassword: undefined };

const make = (
  settings: Partial<Record<"adminEmail" | "adminPassword", string>> = {},
  redis = log.connect(),
) => makeFirstAdmin({ redis, seal: log.signed().seal }, { ...nothing, ...settings }, argon2id);
const isRight = async (email: string, password: string) =>
  argon2id.isRight((await log.client.hget("sluice:passwords", email)) ?? undefined, password);

describe("makeFirstAdmin", () => {
  it("makes up a password for admin@localhost, and says it once", async () => {
    const made = await make();
    expect(made?.email).toBe("admin@localhost");
    expect(made?.generated).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    expect(await isRight("admin@localhost", made?.generated ?? "")).toBe(true);
    expect(await storedUser(log.client, "admin@localhost")).toMatchObject({
      ...{ role: "admin", by: "password", firstPassword: "log" },
    });
    expect(await make()).toBeUndefined();
    expect(await log.records()).toMatchObject([
      { actor: "sluice", via: "start", action: "user.first-admin", changes: [{ target: "admin@localhost" }] },
    ]);
  });

  it("takes email and password of the environment, and does not repeat the password", async () => {
    const made = await make({ adminEmail: "Root@Example.org", adminPassword: "from the environment" });
    expect(made).toEqual({ email: "root@example.org", generated: undefined, isAgain: false });
    expect(await isRight("root@example.org", "from the environment")).toBe(true);
  });

  it("makes no admin where there is a user", async () => {
    await inviteUser(log.signed(), { email: "new@example.org", role: "viewer" });
    expect(await make({ adminPassword: "from the environment" })).toBeUndefined();
    expect(await log.client.hkeys("sluice:users")).toEqual(["new@example.org"]);
  });

  it("makes one when eight processes start at once, and the printed password is the one that counts", async () => {
    const starts = await Promise.all(Array.from({ length: 8 }, () => make()));
    const made = starts.filter((each) => each !== undefined);
    expect(made).toHaveLength(1);
    expect(await isRight("admin@localhost", made[0]?.generated ?? "")).toBe(true);
    expect(await log.records()).toHaveLength(1);
  });

  it("refuses an email that is none", async () => {
    await expect(make({ adminEmail: "root" })).rejects.toThrow("SLUICE_ADMIN_EMAIL is not an email address");
    expect(await log.client.exists("sluice:users")).toBe(0);
  });
});

describe("welcomeFirstAdmin", () => {
  const welcome = async (
    port: number | string,
    settings = {},
    watch?: FirstAdminWatch,
    passwords = argon2id,
  ) => {
    const redisUrl = `redis://127.0.0.1:${port}`;
    const said: string[] = [];
    const env = {
      ...environment(),
      ...nothing,
      secret: "a secret of at least 32 characters",
      redisUrl,
      ...settings,
    };
    await welcomeFirstAdmin(env, passwords, (line) => said.push(line), watch);
    forgetOnce(`control ${redisUrl}`);
    return said;
  };
  const port = () => log.client.options.port ?? 0;

  it("prints one line, and nothing at the next start", async () => {
    const [line, ...others] = await welcome(port());
    expect(line).toMatch(/^sluice: first admin admin@localhost, password ([a-z2-9]{5}-?){4} \(/);
    expect(others).toEqual([]);
    expect(await isRight("admin@localhost", line?.match(/password (\S+)/)?.[1] ?? "")).toBe(true);
    expect(await welcome(port())).toEqual([]);
  });

  it("keeps to itself a password that was given, and says that it is short", async () => {
    const [line] = await welcome(port(), { adminPassword: "hush" });
    expect(line).toContain(
      "with the password of SLUICE_ADMIN_PASSWORD (A password has at least 12 characters",
    );
    expect(line).not.toContain("hush");
  });

  it("says once at each start that the first password is still in use", async () => {
    const watch = () => new FirstAdminWatch(log.connect(), nothing);
    await welcome(port(), {}, watch());
    const other = watch();
    expect(await welcome(port(), {}, other)).toEqual([
      "sluice: the password of admin@localhost is still the first one, which others may have read. Change it under Settings, Account.",
    ]);
    expect(await welcome(port(), {}, other)).toEqual([]);
  });

  it("says nothing of an admin that is made at the same moment elsewhere", async () => {
    const watch = new FirstAdminWatch(log.connect(), nothing);
    const whileOthersMake = {
      ...argon2id,
      hash: async (password: string) => {
        await make();
        return argon2id.hash(password);
      },
    };
    expect(await welcome(port(), {}, watch, whileOthersMake)).toEqual([]);
    expect(watch.seen).toMatchObject({ hasFirstPassword: true });
  });

  it("says that Redis lost the users, and why the password of the environment does not count", async () => {
    const settings = { adminPassword: "from the environment" };
    const watch = new FirstAdminWatch(log.connect(), nothing);
    await settle(log.signed(), "two@example.org", "admin");
    await watch.look();
    await log.client.flushall();
    const [line] = await welcome(port(), settings, watch);
    expect(line).toMatch(
      /^sluice: first admin admin@localhost, password \S+ \(Redis lost all users; SLUICE_ADMIN_PASSWORD does not count/,
    );
  });

  it("says why no admin was made", async () => {
    expect(await welcome(port(), { adminEmail: "root" })).toEqual([
      "sluice: no first admin was made: SLUICE_ADMIN_EMAIL is not an email address.",
    ]);
  });
});

describe("the first password", () => {
  const email = "root@example.org";
  const env = { adminEmail: email, adminPassword: "from the environment" };
  const door = testPasswordChecks(log);
  const first = async () => (await storedUser(log.client, email))?.firstPassword;
  const change = async () => {
    const { version = 0 } = (await storedUser(log.client, email)) ?? {};
    const sessionId = await openSession(log.connect(), { email, version });
    const given = { sessionId, current: env.adminPassword, password: goodPassword };
    await changeOwnPassword(log.signed({ name: email }), door.door, given);
  };
  const watching = async () => {
    const watch = new FirstAdminWatch(log.connect(), env);
    await watch.look();
    return watch;
  };
  const remake = (watch: FirstAdminWatch) =>
    makeFirstAdmin({ redis: log.connect(), seal: log.signed().seal }, env, argon2id, watch.seen);

  it("is marked until another one is chosen, also by a one-time link", async () => {
    await make(env);
    expect(await first()).toBe("environment");
    await change();
    expect(await first()).toBeUndefined();
    await log.client.flushall();
    await make(env);
    const { word } = await resetUser(log.signed({ name: "cli:root" }), { email });
    expect(await first()).toBeUndefined();
    await acceptLink(log.signed(), { word, password: goodPassword }, argon2id);
    expect(await first()).toBeUndefined();
  });

  it("does not come back from the environment after it was changed and Redis lost all users", async () => {
    await make(env);
    await change();
    const watch = await watching();
    await log.client.flushall();
    await watch.look();
    const made = await remake(watch);
    expect(made).toMatchObject({ email, generated: expect.any(String), isAgain: true });
    expect(await isRight(email, env.adminPassword)).toBe(false);
    expect(await isRight(email, made?.generated ?? "")).toBe(true);
    expect(await log.records()).toMatchObject([
      { action: "user.first-admin", reason: "Redis lost all users" },
    ]);
    // Nor does it after another loss.
    await watch.look();
    await log.client.flushall();
    await remake(watch);
    expect(await isRight(email, env.adminPassword)).toBe(false);
  });

  it("lets the admin in again after a loss, if it was never changed", async () => {
    await make(env);
    const watch = await watching();
    await log.client.flushall();
    expect(await remake(watch)).toEqual({ email, generated: undefined, isAgain: true });
    expect(await isRight(email, env.adminPassword)).toBe(true);
  });

  it("does not come back for an admin who was removed", async () => {
    await make(env);
    await settle(log.signed(), "two@example.org", "admin");
    await removeUser(log.signed({ name: "cli:root" }), { email });
    const watch = await watching();
    await log.client.flushall();
    await remake(watch);
    expect(await isRight(email, env.adminPassword)).toBe(false);
  });
});
