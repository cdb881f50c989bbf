import { resetCounters } from "../customers/reset.ts";
import { awaitApplied, sayApplied } from "./applied.ts";
import type { Command } from "./command.ts";
import { withCounters } from "./counters.ts";
import { readCustomerId, readReason } from "./operands.ts";
import { counted } from "./words.ts";

export const customerReset: Command = {
  name: "customer reset",
  takes: "<id>",
  operands: { least: 1, most: 1 },
  summary: "Let a customer begin anew: forget what was counted of it",
  about: [
    "Its tier and levels stay. What is counted of it together with something else (an address, a path) stays, too.",
  ],
  options: ["reason"],
  examples: ['sluice customer reset acme --reason "their retry loop is mended"'],
  async run({ operands: [name], options, io, writing }) {
    const id = readCustomerId(name);
    const reason = readReason(options);
    const session = await writing();
    const { change, deleted } = await withCounters(session, io.environment, (counters) =>
      resetCounters(session.context, counters, { id, reason }),
    );
    const applied = await awaitApplied(session.redis, change);
    return {
      lines: [`${id} begins anew: ${counted(deleted, "counter")} deleted.`, ...sayApplied(change, applied)],
      json: { id, deleted, change, applied },
    };
  },
};
