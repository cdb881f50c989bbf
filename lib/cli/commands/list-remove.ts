import { removeMany } from "../../manage/lists/bulk.ts";
import type { RemoveOutcome } from "../../manage/lists/remove.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { type ListWord, listNamed, reportRefused } from "../list-report.ts";
import { readAddresses, readOneTag, readReason } from "../operands.ts";
import { areByTag, byTagHelp, changeTagged, type TaggedChange } from "../tagged-entries.ts";

export function listRemove(word: ListWord): Command {
  const list = listNamed[word];
  return {
    name: `${word} remove`,
    takes: "[address…]",
    operands: { least: 0, most: Number.POSITIVE_INFINITY },
    summary: `Remove addresses or ranges from the ${list}`,
    about: [
      `An address without an entry of its own may still be covered by a range on the ${list}. The output names it.`,
      ...byTagHelp,
    ],
    options: ["reason", "tag", "dry-run"],
    examples: [
      `sluice ${word} remove 203.0.113.9 --reason "it was our own monitoring"`,
      `sluice ${word} remove --tag scraper --dry-run`,
    ],
    async run({ operands, options, writeAccess, writing }) {
      if (areByTag(`${word} remove`, operands, options)) {
        const [tag, reason] = [readOneTag(options) ?? "", readReason(options)];
        const isDryRun = options.has("dry-run");
        const change: TaggedChange["change"] = (ctx, some) => removeMany(ctx, { list, reason, ...some });
        return changeTagged(await writing(), {
          list,
          tag,
          isDryRun,
          done: `removed from the ${list}`,
          change,
        });
      }
      const addresses = readAddresses(operands);
      const { removeEntries, awaitApplied } = await writeAccess();
      const { change, outcomes } = await removeEntries({
        list,
        addresses,
        reason: readReason(options),
      });
      const applied = await awaitApplied(change);
      const { exit, complaints, error } = reportRefused(outcomes);
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
  if (outcome.outcome === "removed") return [`${address} is removed from the ${list}.${still}`];
  return [`${address} has no entry of its own on the ${list}. Nothing changed.${still}`];
}
