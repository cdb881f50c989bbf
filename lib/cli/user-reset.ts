import { resetUser } from "../auth/reset.ts";
import { requireEmail } from "../auth/user.ts";
import type { Command } from "./command.ts";
import { readConsoleUrl, tellLink } from "./user.ts";

export const userReset: Command = {
  name: "user reset",
  takes: "<email>",
  operands: { least: 1, most: 1 },
  summary: "Take a user's password away, and make a one-time link to choose another",
  about: ["Their sessions end at once. This is also the way back in for an admin who has lost the password."],
  options: ["url"],
  examples: ["sluice user reset ops@example.org --url https://sluice.example.org"],
  async run(call) {
    const email = requireEmail(call.operands[0] ?? "");
    const url = readConsoleUrl(call);
    const { context } = await call.writing();
    return tellLink(await resetUser(context, { email }), url);
  },
};
