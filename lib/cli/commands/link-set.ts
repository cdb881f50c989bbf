import { setLink } from "../../manage/links/set-link.ts";
import type { Command } from "../command.ts";
import { linkOf } from "../link.ts";

export const linkSet: Command = {
  name: "link set",
  takes: "<client or customer> <name> <url>",
  operands: { least: 3, most: 3 },
  summary: "Link the pages of clients or customers to another system, such as one with logs",
  about: [
    "The URL contains {ip} for clients, {customer} for customers. Values are URL-encoded.",
    "It begins with https://, or http:// for localhost. A link of the same name is replaced.",
  ],
  options: [],
  examples: ['sluice link set client Logs "https://logs.example.org/?q={ip}"'],
  async run({ operands, writing }) {
    const [kind = "", name = "", template = ""] = operands;
    const link = { ...linkOf(kind, name), template };
    const { context } = await writing();
    const { outcome } = await setLink(context, link);
    const says = outcome === "kept" ? "is there already. Nothing changed" : "is set";
    return { lines: [`The link ${name} of ${kind}s ${says}.`], json: { ...link, outcome } };
  },
};
