import { at } from "../../at.ts";
import { resetUser } from "../../manage/users/reset.ts";
import { requireEmail } from "../../manage/users/user.ts";
import type { Command } from "../command.ts";
import { readConsoleUrl, reportLink } from "../user.ts";

export const userReset: Command = {
  name: "user reset",
  takes: "<email>",
  operands: { least: 1, most: 1 },
  summary: "Delete a user's password, and create a one-time link to choose another",
  about: ["Their sessions end immediately. An admin who has lost the password gets back in this way."],
  options: ["url"],
  examples: ["sluice user reset ops@example.org --url https://sluice.example.org"],
  async run(call) {
    const email = requireEmail(at(call.operands, 0));
    const url = readConsoleUrl(call);
    const { context } = await call.writing();
    return reportLink(await resetUser(context, { email }), url);
  },
};
