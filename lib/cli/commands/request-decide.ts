import { at } from "../../at.ts";
import { sayWish } from "../../manage/requests/user-request.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { readReason } from "../operands.ts";

/** `request confirm` and `request decline`. */
export function requestDecide(verb: "confirm" | "decline"): Command {
  const isConfirmed = verb === "confirm";
  return {
    name: `request ${verb}`,
    takes: "<id>",
    operands: { least: 1, most: 1 },
    summary: isConfirmed
      ? "Confirm a request to staff, which does what was asked"
      : "Decline a request to staff",
    about: [
      "sluice request list shows the IDs. The audit log has the request and the decision, with both names.",
      ...(isConfirmed
        ? ["Lockout protection applies as to any other block. What it refuses stays open."]
        : []),
    ],
    options: ["reason"],
    examples: [
      `sluice request ${verb} 4f1c2a9b7e30 --reason "${isConfirmed ? "thanks" : "a scanner of ours"}"`,
    ],
    async run({ operands, options, writeAccess }) {
      const word = readReason(options);
      const { decideRequest, awaitApplied } = await writeAccess();
      const { request, change } = await decideRequest({ id: at(operands, 0), isConfirmed, word });
      const applied = await awaitApplied(change);
      const done = isConfirmed ? "confirmed" : "declined";
      return {
        lines: [
          `The request of ${request.by} to ${sayWish(request)} is ${done}.`,
          ...sayApplied(change, applied),
        ],
        json: { request, change, applied },
      };
    },
  };
}
