import { removeLink } from "../../manage/links/set-link.ts";
import type { Command } from "../command.ts";
import { linkOf } from "../link.ts";

export const linkRemove: Command = {
  name: "link remove",
  takes: "<client or customer> <name>",
  operands: { least: 2, most: 2 },
  summary: "Remove a link to another system",
  about: [],
  options: [],
  examples: ["sluice link remove client Logs"],
  async run({ operands, writing }) {
    const [kind = "", name = ""] = operands;
    const link = linkOf(kind, name);
    const { context } = await writing();
    await removeLink(context, link);
    return { lines: [`The link ${name} of ${kind}s is removed.`], json: { ...link, outcome: "removed" } };
  },
};
