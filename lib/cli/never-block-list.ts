import { readNeverBlock } from "../lists/never-block.ts";
import { columns } from "./columns.ts";
import type { Command } from "./command.ts";
import { printable } from "./printable.ts";

export const neverBlockList: Command = {
  name: "never-block list",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show every range that cannot be blocked",
  about: ["Those of Redis hold for the whole fleet; those of the environment as this command sees it."],
  options: [],
  examples: ["sluice never-block list"],
  async run({ reading }) {
    const { redis, protectedRanges } = await reading();
    const stored = await readNeverBlock(redis);
    const ranges = [
      ...stored.map(({ range, why, note }) => ({ range, why, from: "redis", ...note })),
      ...protectedRanges.map(({ range, why }) => ({ range, why, from: "environment" })),
    ];
    const rows = ranges.map(({ range, why }) => [range, printable(why)]);
    return { lines: columns([["RANGE", "WHY"], ...rows]), json: { ranges } };
  },
};
