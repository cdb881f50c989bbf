import { describe, expect, it } from "vitest";
import { testLog } from "../audit/vitest.log.ts";
import { environment } from "../env.ts";
import { leaveHome } from "../redis/home.ts";
import { makeFirstAdmin, welcomeFirstAdmin } from "./first-admin.ts";
import { inviteUser } from "./invite.ts";
import { argon2id } from "./password.ts";
import { storedUser } from "./vitest.users.ts";

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
    expect(await storedUser(log.client, "admin@localhost")).toMatchObject({ role: "admin", by: "password" });
    expect(await make()).toBeUndefined();
    expect(await log.records()).toMatchObject([
      { actor: "sluice", via: "start", action: "user.first-admin", changes: [{ target: "admin@localhost" }] },
    ]);
  });

  it("takes email and password of the environment, and does not repeat the password", async () => {
    const made = await make({ adminEmail: "Root@Example.org", adminPassword: "from the environment" });
    expect(made).toEqual({ email: "root@example.org", generated: undefined });
    expect(await isRight("root@example.org", "from the environment")).toBe(true);
  });

  it("makes nobody where there is somebody", async () => {
    await inviteUser(log.signed(), { email: "new@example.org", role: "viewer" });
    expect(await make({ adminPassword: "from the environment" })).toBeUndefined();
    expect(await log.client.hkeys("sluice:users")).toEqual(["new@example.org"]);
  });

  it("makes one when eight processes start at once, and the password that is told is the one that counts", async () => {
    const starts = await Promise.all(Array.from({ length: 8 }, () => make()));
    const made = starts.filter((each) => each !== undefined);
    expect(made).toHaveLength(1);
    expect(await isRight("admin@localhost", made[0]?.generated ?? "")).toBe(true);
    expect(await log.records()).toHaveLength(1);
  });

  it("refuses an email that is none", async () => {
    await expect(make({ adminEmail: "root" })).rejects.toThrow("SLUICE_ADMIN_EMAIL is no email address");
    expect(await log.client.exists("sluice:users")).toBe(0);
  });
});

describe("welcomeFirstAdmin", () => {
  const welcome = async (port: number | string, settings = {}) => {
    const redisUrl = `redis://127.0.0.1:${port}`;
    const said: string[] = [];
    const env = {
      ...environment(),
      ...nothing,
      secret: "a secret of at least 32 characters",
      redisUrl,
      ...settings,
    };
    await welcomeFirstAdmin(env, argon2id, (line) => said.push(line));
    leaveHome(`control ${redisUrl}`);
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

  it("says why nobody was made", async () => {
    expect(await welcome(port(), { adminEmail: "root" })).toEqual([
      "sluice: no first admin was made: SLUICE_ADMIN_EMAIL is no email address.",
    ]);
  });
});
