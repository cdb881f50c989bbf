import { inviteUser } from "../auth/invite.ts";
import { requireEmail } from "../auth/user.ts";
import type { Command } from "./command.ts";
import { readConsoleUrl, readRole, tellLink } from "./user.ts";

export const userAdd: Command = {
  name: "user add",
  takes: "<email>",
  operands: { least: 1, most: 1 },
  summary: "Make a user of the console, and a one-time link to choose a password",
  about: [
    "A viewer reads. Staff block and safelist. Support changes customers. An admin does everything.",
    "The link is told this once; sluice user reset makes another.",
  ],
  options: ["role", "url"],
  examples: ["sluice user add ops@example.org --role staff --url https://sluice.example.org"],
  async run(call) {
    const email = requireEmail(call.operands[0] ?? "");
    const role = readRole(call.options.text("role"));
    const url = readConsoleUrl(call);
    const { context } = await call.writing();
    const { lines, json } = tellLink(await inviteUser(context, { email, role }), url);
    return { lines: [`${email} is a user now, with the role ${role}.`, ...lines], json: { ...json, role } };
  },
};
