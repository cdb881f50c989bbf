import { setRole } from "../auth/set-role.ts";
import { requireEmail } from "../auth/user.ts";
import type { Command } from "./command.ts";
import { readRole } from "./user.ts";

export const userRole: Command = {
  name: "user role",
  takes: "<email> <role>",
  operands: { least: 2, most: 2 },
  summary: "Give a user another role",
  about: ["Their sessions end at once. The last admin who can sign in stays one."],
  options: [],
  examples: ["sluice user role ops@example.org admin"],
  async run({ operands: [text = "", wish], writing }) {
    const email = requireEmail(text);
    const role = readRole(wish);
    const { context } = await writing();
    const { outcome } = await setRole(context, { email, role });
    const says =
      outcome === "kept" ? `has the role ${role} already. Nothing changed.` : `has the role ${role} now.`;
    return { lines: [`${email} ${says}`], json: { email, role, outcome } };
  },
};
