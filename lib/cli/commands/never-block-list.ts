import { readNeverBlock } from "../../enforce/lists/protected.ts";
import type { Command } from "../command.ts";
import { columns, printable } from "../terminal.ts";

export const neverBlockList: Command = {
  name: "never-block list",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show every protected range",
  about: ["Ranges in Redis protect the whole fleet. Ranges of the environment are those of this command."],
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
