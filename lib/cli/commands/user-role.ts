import { at } from "../../at.ts";
import { setRole } from "../../manage/users/set-role.ts";
import { requireEmail } from "../../manage/users/user.ts";
import type { Command } from "../command.ts";
import { readRole } from "../user.ts";

export const userRole: Command = {
  name: "user role",
  takes: "<email> <role>",
  operands: { least: 2, most: 2 },
  summary: "Change the role of a user",
  about: ["Their sessions end immediately. The last admin who can sign in keeps the role."],
  options: [],
  examples: ["sluice user role ops@example.org admin"],
  async run({ operands, writing }) {
    const email = requireEmail(at(operands, 0));
    const role = readRole(at(operands, 1));
    const { context } = await writing();
    const { outcome } = await setRole(context, { email, role });
    const says =
      outcome === "kept" ? `already has the role ${role}. Nothing changed.` : `now has the role ${role}.`;
    return { lines: [`${email} ${says}`], json: { email, role, outcome } };
  },
};
