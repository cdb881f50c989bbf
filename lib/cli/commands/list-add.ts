import type { AddOutcome } from "../../manage/lists/admission.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { type ListWord, listNamed, reportRefused } from "../list-report.ts";
import { isoOrNull, until } from "../moment.ts";
import { readAddresses, readConfirmed, readReason, readTags, readTtl } from "../operands.ts";

export function listAdd(word: ListWord): Command {
  const list = listNamed[word];
  return {
    name: `${word} add`,
    takes: "<address…>",
    operands: { least: 1, most: Number.POSITIVE_INFINITY },
    summary: `Put addresses or ranges on the ${list}`,
    about: [
      "An entry that exists is extended if the new expiry is later, and not changed otherwise.",
      "Lockout protection refuses loopback, proxies, protected ranges and ranges wider than /16.",
    ],
    options: ["ttl", "reason", "tag", "confirm", "force"],
    examples: [
      `sluice ${word} add 203.0.113.9 --reason "found in the logs"`,
      `sluice ${word} add 198.51.100.0/24 2001:db8:1:2::/64 --ttl 24h`,
      `sluice ${word} add 203.0.113.9 --tag scraper,asn:64500`,
      `sluice ${word} add 198.18.0.0/20 --confirm 198.18.0.0/20`,
    ],
    async run({ operands, options, writeAccess }) {
      const input = {
        list,
        addresses: readAddresses(operands),
        ...readTtl(options),
        reason: readReason(options),
        confirmed: readConfirmed(options),
        force: options.has("force"),
        tags: { add: readTags(options) },
      };
      const { addEntries, awaitApplied, now } = await writeAccess();
      const { change, outcomes } = await addEntries(input);
      const applied = await awaitApplied(change);
      const { exit, complaints, error } = reportRefused(outcomes);
      return {
        lines: [...outcomes.flatMap((outcome) => say(outcome, list, now())), ...sayApplied(change, applied)],
        complaints,
        json: { list, change, applied, outcomes: outcomes.map(toJson), ...(error && { error }) },
        ...(exit && { exit }),
      };
    },
  };
}

function say(outcome: AddOutcome, list: string, now: number): string[] {
  if (outcome.outcome === "refused") return [];
  const end = until(outcome.expiresAt, now);
  const { address } = outcome;
  const says = {
    added: `${address} is on the ${list} ${end}.`,
    extended: `${address} was already on the ${list}. It now stays ${end}.`,
    shortened: `${address} was already on the ${list}. It now stays only ${end}.`,
    tagged: `${address} was already on the ${list}. It has its new tags, and stays ${end}.`,
    kept: `${address} is already on the ${list} ${end}. Nothing changed. --force shortens it.`,
  };
  return [says[outcome.outcome]];
}

function toJson(outcome: AddOutcome) {
  return outcome.outcome === "refused" ? outcome : { ...outcome, expiresAt: isoOrNull(outcome.expiresAt) };
}
