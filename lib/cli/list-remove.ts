import { type RemoveOutcome, removeEntries } from "../lists/remove.ts";
import { awaitApplied, sayApplied } from "./applied.ts";
import type { Command } from "./command.ts";
import { readAddresses, readReason } from "./operands.ts";
import { tellRefused } from "./refused.ts";
import { type ListWord, listNamed } from "./words.ts";

export function listRemove(word: ListWord): Command {
  const list = listNamed[word];
  return {
    name: `${word} remove`,
    takes: "<address…>",
    operands: { least: 1, most: Number.POSITIVE_INFINITY },
    summary: `Take addresses or ranges off the ${list}`,
    about: [
      `A range on the ${list} goes on covering an address that was taken off by itself; you are told which.`,
    ],
    options: ["reason"],
    examples: [`sluice ${word} remove 203.0.113.9 --reason "it was our own monitoring"`],
    async run({ operands, options, writing }) {
      const addresses = readAddresses(operands);
      const { context, redis } = await writing();
      const { change, outcomes } = await removeEntries(context, {
        list,
        addresses,
        reason: readReason(options),
      });
      const applied = await awaitApplied(redis, change);
      const { exit, complaints, error } = tellRefused(outcomes);
      return {
        lines: [...outcomes.flatMap((outcome) => say(outcome, list)), ...sayApplied(change, applied)],
        complaints,
        json: { list, change, applied, outcomes, ...(error && { error }) },
        ...(exit && { exit }),
      };
    },
  };
}

function say(outcome: RemoveOutcome, list: string): string[] {
  if (outcome.outcome === "refused") return [];
  const { address, coveredBy } = outcome;
  const still = coveredBy.length > 0 ? ` It is still covered by ${coveredBy.join(", ")}.` : "";
  if (outcome.outcome === "removed") return [`${address} is off the ${list}.${still}`];
  return [`${address} was not on the ${list} by itself. Nothing changed.${still}`];
}
