import { inspect } from "node:util";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { testLog } from "../manage/audit/vitest.log.ts";
import { acceptLink } from "../manage/users/accept-link.ts";
import { inviteUser } from "../manage/users/invite.ts";
import { argon2id } from "../manage/users/password.ts";
import { openSession } from "../manage/users/sessions.ts";
import { goodPassword } from "../manage/users/vitest.users.ts";
import { connectControl } from "../redis/connect.ts";
import { failureOf } from "./failure.ts";

const log = testLog();
const email = "ops@example.org";
let logged: unknown[][];
beforeEach(() => {
  logged = [];
  vi.spyOn(console, "error").mockImplementation((...given) => void logged.push(given));
});
afterEach(() => void vi.restoreAllMocks());

/** What Redis answers when an account without these commands does it. */
async function refusedWithout(
  commands: string,
  act: (redis: ReturnType<typeof connectControl>) => Promise<unknown>,
) {
  await log.client.call(
    "ACL",
    "SETUSER",
    "console",
    "on",
    "nopass",
    "~*",
    "&*",
    "+@all",
    ...commands.split(" "),
  );
  const { host, port } = log.client.options;
  const redis = connectControl(`redis://console:any@${host}:${port}`, "patiently");
  try {
    return await act(redis).then(
      () => expect.unreachable("Redis allowed it"),
      (error: unknown) => error,
    );
  } finally {
    redis.disconnect();
    await log.client.call("ACL", "DELUSER", "console");
  }
}

it.each(["-xadd", "-eval -evalsha"])(
  "keeps the hash of a new password out of the log, and off the error, when the account has %s",
  async (commands) => {
    const { word } = await inviteUser(log.signed(), { email, role: "staff" });
    const error = await refusedWithout(commands, (redis) =>
      acceptLink(log.signed({}, redis), { word, password: goodPassword }, argon2id),
    );
    expect(failureOf(error)).toMatchObject({ code: "failed" });
    expect(logged).toEqual([
      [expect.stringMatching(/^sluice: a request of the console failed: ReplyError: .+/)],
    ]);
    // Next logs what a page throws, with all its properties.
    for (const text of [JSON.stringify(logged), inspect(error, { depth: 20 })]) {
      expect(text).not.toContain("argon2id");
      expect(text).not.toContain(email);
    }
  },
);

it("keeps a session and its user off the errors of a pipeline", async () => {
  const error = await refusedWithout("-zadd -set", (redis) => openSession(redis, { email, version: 1 }));
  expect(inspect(error, { depth: 20 })).toContain("NOPERM");
  expect(inspect(error, { depth: 20 })).not.toMatch(/ops@example|sluice:session/);
});
