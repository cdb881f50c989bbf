import { type KnownUser, listUsers } from "../../manage/users/users.ts";
import { plural } from "../../observe/doctor/finding.ts";
import type { Command } from "../command.ts";
import { moment } from "../moment.ts";
import { columns } from "../terminal.ts";

export const userList: Command = {
  name: "user list",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show the users of the console",
  about: ["Shows their roles, how they sign in, the last sign-in and the number of open sessions."],
  options: [],
  examples: ["sluice user list", "sluice user list --json"],
  async run({ reading }) {
    const { redis, now } = await reading();
    const users = await listUsers(redis, now());
    const head = ["EMAIL", "ROLE", "SIGNS IN BY", "LAST SIGN-IN", "SESSIONS"];
    return {
      lines: [
        ...(users.length > 0 ? columns([head, ...users.map(row)]) : []),
        `${plural(users.length, "user")}.`,
      ],
      json: { users: users.map((user) => ({ ...user, linkUntil: user.linkUntil ?? null })) },
    };
  },
};

function row({ email, role, by, canSignIn, lastSignIn, sessions }: KnownUser): string[] {
  const way = by === "sso" ? "single sign-on" : canSignIn ? "password" : "one-time link";
  const last = lastSignIn ? moment(Date.parse(lastSignIn.at)) : "never";
  return [email, role, way, last, String(sessions)];
}
