import type { TagOutcome } from "../../manage/lists/tag.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { exitCode } from "../failure.ts";
import { type ListWord, listNamed, reportAbsent, reportRefused } from "../list-report.ts";
import { readAddresses, readReason, readTags } from "../operands.ts";

export function listTag(word: ListWord): Command {
  const list = listNamed[word];
  return {
    name: `${word} tag`,
    takes: "<address…>",
    operands: { least: 1, most: Number.POSITIVE_INFINITY },
    summary: `Add tags to entries of the ${list}, or remove some`,
    about: [
      "An entry has at most 8 tags of letters, digits and - . _ : with at most 32 characters. Its reason, author and",
      "expiry stay.",
    ],
    options: ["tag", "untag", "reason"],
    examples: [
      `sluice ${word} tag 203.0.113.9 198.51.100.0/24 --tag scraper,asn:64500`,
      `sluice ${word} tag 203.0.113.9 --untag scraper --tag partner`,
    ],
    async run({ operands, options, writeAccess }) {
      const addresses = readAddresses(operands);
      const tags = { add: readTags(options), remove: readTags(options, "untag") };
      const { tagEntries, awaitApplied } = await writeAccess();
      const { change, outcomes } = await tagEntries({ list, addresses, tags, reason: readReason(options) });
      const applied = await awaitApplied(change);
      const refused = reportRefused(outcomes);
      const absent = reportAbsent(outcomes, list, "has no tags");
      const error = refused.error ?? absent;
      return {
        lines: [...outcomes.flatMap((outcome) => say(outcome)), ...sayApplied(change, applied)],
        complaints: [...refused.complaints, ...(absent ? absent.message.split("\n") : [])],
        json: { list, change, applied, outcomes, ...(error && { error }) },
        ...(error && { exit: exitCode.refused }),
      };
    },
  };
}

function say(outcome: TagOutcome): string[] {
  if (outcome.outcome === "tagged") {
    const { address, tags } = outcome;
    return [tags.length > 0 ? `${address} is tagged ${tags.join(" ")}.` : `${address} has no tags any more.`];
  }
  return outcome.outcome === "unchanged" ? [`The tags of ${outcome.address} did not change.`] : [];
}
