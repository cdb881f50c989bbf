import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sealFrom } from "../../manage/audit/seal.ts";
import { acceptLink } from "../../manage/users/accept-link.ts";
import { findLink } from "../../manage/users/link.ts";
import { argon2id } from "../../manage/users/password.ts";
import { connectControl } from "../../redis/connect.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { sluice as run, secret } from "../testing.ts";

let server: TestRedis;
let redis: ReturnType<typeof connectControl>;

beforeAll(async () => {
  server = await startRedis();
  redis = connectControl(server.url, "patiently");
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(async () => void (await server.client.flushall()));

const publicUrl = "https://sluice.example.org";
const sluice = (line: string, environment = { publicUrl } as { publicUrl?: string }) =>
  run(line.split(" "), { redisUrl: server.url, environment });
const json = async (line: string) => JSON.parse((await sluice(`${line} --json`)).stdout);
const accept = (word: string) =>
  acceptLink(
    { redis, seal: sealFrom(secret), actor: { via: "cli" } },
    { word, password: "correct horse battery" },
    argon2id,
  );
const lastAudit = async () => {
  const [[, fields] = ["", []]] = await server.client.xrevrange("sluice:audit", "+", "-", "COUNT", 1);
  return JSON.parse(fields[1] ?? "null");
};
const wordIn = (text: string) => /\/welcome\/(\S+)/.exec(text)?.[1] ?? "";

describe("sluice user add", () => {
  it("creates a user and prints the link, which opens the console", async () => {
    const { exit, stdout } = await sluice("user add Ops@Example.org --role staff");
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      /^ops@example\.org is now a user with the role staff\.\nLink for ops@example\.org .+ UTC:\nhttps:\/\/sluice\.example\.org\/welcome\/[\w-]{32}\n$/,
    );
    expect(await findLink(redis, wordIn(stdout))).toMatchObject({ email: "ops@example.org", kind: "invite" });
    expect(await lastAudit()).toMatchObject({
      action: "user.invite",
      via: "cli",
      actor: expect.stringMatching(/^cli:/),
    });
  });

  it("reads the console's URL from --url, and changes nothing without one", async () => {
    const { stdout } = await sluice("user add ops@example.org --role admin --url http://localhost:3000");
    expect(stdout).toContain("\nhttp://localhost:3000/welcome/");
    const lost = await sluice("user add two@example.org --role admin", {});
    expect(lost).toMatchObject({
      exit: 1,
      stdout: "",
      stderr: expect.stringContaining("The URL of the console is missing."),
    });
    expect((await sluice("user add two@example.org --role admin --url sluice")).stderr).toContain(
      "begins with https://",
    );
    expect(await server.client.hkeys("sluice:users")).toEqual(["ops@example.org"]);
  });

  it("names the mistake, and writes nothing", async () => {
    expect((await sluice("user add ops@example.org --role amdin")).stderr).toContain("did you mean admin?");
    expect((await sluice("user add ops@example.org")).stderr).toContain("--role: write one of viewer, staff");
    expect((await sluice("user add ops --role staff")).stderr).toContain("Write an email address");
    expect(await server.client.keys("*")).toEqual([]);
    await sluice("user add ops@example.org --role staff");
    expect((await sluice("user add ops@example.org --role admin")).stderr).toContain(
      "is a user already, with the role staff",
    );
  });
});

describe("sluice user role, reset, remove and list", () => {
  beforeEach(async () => {
    const { url } = await json("user add root@example.org --role admin");
    await accept(wordIn(url));
    await sluice("user add ops@example.org --role staff");
  });

  it("changes a role, but not that of the last admin", async () => {
    expect((await sluice("user role ops@example.org support")).stdout).toBe(
      "ops@example.org now has the role support.\n",
    );
    expect((await sluice("user role ops@example.org support")).stdout).toContain(
      "already has the role support. Nothing changed.",
    );
    expect(await lastAudit()).toMatchObject({
      action: "user.role",
      changes: [{ target: "ops@example.org" }],
    });
    const refused = await sluice("user role root@example.org viewer");
    expect(refused).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining("the last admin who can sign in"),
    });
  });

  it("lets the last admin in again", async () => {
    const { stdout } = await sluice("user reset root@example.org");
    expect(await server.client.hexists("sluice:passwords", "root@example.org")).toBe(0);
    expect(await accept(wordIn(stdout))).toEqual({ email: "root@example.org" });
    expect((await sluice("user reset no@example.org")).stderr).toBe("There is no user no@example.org.\n");
  });

  it("removes a user, but not the last admin", async () => {
    expect((await sluice("user remove ops@example.org")).stdout).toBe("ops@example.org is removed.\n");
    expect(await sluice("user remove root@example.org")).toMatchObject({ exit: 1 });
    expect(await server.client.hkeys("sluice:users")).toEqual(["root@example.org"]);
  });

  it("shows the users, and no hash", async () => {
    const { stdout } = await sluice("user list");
    expect(stdout).toMatch(/^EMAIL +ROLE +SIGNS IN BY +LAST SIGN-IN +SESSIONS$/m);
    expect(stdout).toMatch(/^ops@example\.org +staff +one-time link +never +0$/m);
    expect(stdout).toMatch(/^root@example\.org +admin +password +never +0$/m);
    expect(await json("user list")).toMatchObject({
      users: [{ email: "ops@example.org", canSignIn: false }, {}],
    });
    expect(JSON.stringify(await json("user list"))).not.toContain("argon2");
  });
});
