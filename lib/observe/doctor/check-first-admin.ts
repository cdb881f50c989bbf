import { readUser } from "../../manage/users/user.ts";
import { keys } from "../../redis/keys.ts";
import { type Check, note, ok } from "./finding.ts";

const sources = {
  environment: "SLUICE_ADMIN_PASSWORD, which is in the configuration of the console",
  log: "the log of the console",
} as const;

/** First admin with a password that others may have read. */
export const firstAdmin: Check = {
  name: "first-admin",
  async run({ redis }) {
    const found = Object.entries(await redis.hgetall(keys.users())).flatMap(([email, text]) => {
      const source = readUser(text)?.firstPassword;
      if (source === undefined) return [];
      const says = `${email} still has the first password, from ${sources[source]}.`;
      return [note(says, { cure: "Sign in and change it under Settings, Account." })];
    });
    const findings = found.length > 0 ? found : [ok("No user has the first password of a new console.")];
    return findings.map((finding) => ({ ...finding, isForAdmins: true }));
  },
};
