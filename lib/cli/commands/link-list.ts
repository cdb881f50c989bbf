import { readLinks } from "../../manage/links/links.ts";
import type { Command } from "../command.ts";
import { columns, printable } from "../terminal.ts";

export const linkList: Command = {
  name: "link list",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show the links to other systems",
  about: [],
  options: [],
  examples: ["sluice link list"],
  async run({ reading }) {
    const { redis } = await reading();
    const links = await readLinks(redis);
    const rows = links.map(({ kind, name, template }) => [`${kind}s`, name, printable(template)]);
    return {
      lines: links.length === 0 ? ["No links."] : columns([["OF", "NAME", "URL"], ...rows]),
      json: { links },
    };
  },
};
