import { at } from "../../at.ts";
import { removeUser } from "../../manage/users/remove.ts";
import { requireEmail } from "../../manage/users/user.ts";
import type { Command } from "../command.ts";

export const userRemove: Command = {
  name: "user remove",
  takes: "<email>",
  operands: { least: 1, most: 1 },
  summary: "Remove a user of the console",
  about: [
    "Their sessions end immediately. Their changes and audit records stay.",
    "Single sign-on does not admit a removed user until sluice user add invites the email again.",
  ],
  options: [],
  examples: ["sluice user remove ops@example.org"],
  async run({ operands, writing }) {
    const email = requireEmail(at(operands, 0));
    const { context } = await writing();
    await removeUser(context, { email });
    return { lines: [`${email} is removed.`], json: { email } };
  },
};
