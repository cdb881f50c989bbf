import { at } from "../../at.ts";
import { inviteUser } from "../../manage/users/invite.ts";
import { requireEmail } from "../../manage/users/user.ts";
import type { Command } from "../command.ts";
import { readConsoleUrl, readRole, reportLink } from "../user.ts";

export const userAdd: Command = {
  name: "user add",
  takes: "<email>",
  operands: { least: 1, most: 1 },
  summary: "Create a user of the console, with a one-time link to choose a password",
  about: [
    "A viewer reads. Staff change the lists. Support changes customers. An admin may do everything.",
    "The link is shown only once. To create another, run sluice user reset.",
  ],
  options: ["role", "url"],
  examples: ["sluice user add ops@example.org --role staff --url https://sluice.example.org"],
  async run(call) {
    const email = requireEmail(at(call.operands, 0));
    const role = readRole(call.options.text("role"));
    const url = readConsoleUrl(call);
    const { context } = await call.writing();
    const { lines, json } = reportLink(await inviteUser(context, { email, role }), url);
    return { lines: [`${email} is now a user with the role ${role}.`, ...lines], json: { ...json, role } };
  },
};
