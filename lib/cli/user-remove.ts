import { removeUser } from "../auth/remove.ts";
import { requireEmail } from "../auth/user.ts";
import type { Command } from "./command.ts";

export const userRemove: Command = {
  name: "user remove",
  takes: "<email>",
  operands: { least: 1, most: 1 },
  summary: "Remove a user of the console",
  about: ["Their sessions end at once. What they have done stays in force and on record."],
  options: [],
  examples: ["sluice user remove ops@example.org"],
  async run({ operands: [text = ""], writing }) {
    const email = requireEmail(text);
    const { context } = await writing();
    await removeUser(context, { email });
    return { lines: [`${email} is removed.`], json: { email } };
  },
};
