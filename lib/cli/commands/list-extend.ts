import { DomainError } from "../../errors.ts";
import { extendMany } from "../../manage/lists/bulk.ts";
import { type ExtendOutcome, extendEntries } from "../../manage/lists/extend.ts";
import { type Life, parseLife } from "../../manage/lists/life.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { exitCode } from "../failure.ts";
import { type ListWord, listNamed, reportAbsent, reportRefused } from "../list-report.ts";
import { isoOrNull, until } from "../moment.ts";
import { readAddresses, readOneTag, readReason } from "../operands.ts";
import type { GivenOptions } from "../options.ts";
import { areByTag, byTagHelp, changeTagged, type TaggedChange } from "../tagged-entries.ts";

export function listExtend(word: ListWord): Command {
  const list = listNamed[word];
  return {
    name: `${word} extend`,
    takes: "[address…]",
    operands: { least: 0, most: Number.POSITIVE_INFINITY },
    summary: `Extend entries of the ${list}`,
    about: [
      "The duration is added to the remaining time. --ttl also takes a date: 2030-01-31 or 2030-01-31T12:00:00Z.",
      "No entry is shortened, and its reason stays.",
      ...byTagHelp,
    ],
    options: ["ttl", "reason", "tag", "dry-run"],
    examples: [
      `sluice ${word} extend 203.0.113.9 --ttl 24h`,
      `sluice ${word} extend 203.0.113.9 --ttl never`,
      `sluice ${word} extend --tag scraper --ttl 24h`,
    ],
    async run({ operands, options, writing }) {
      const isByTag = areByTag(`${word} extend`, operands, options);
      const addresses = readAddresses(operands);
      const life = readLife(options);
      const reason = readReason(options);
      const tag = isByTag ? readOneTag(options) : undefined;
      const session = await writing();
      const { context, awaitApplied, now } = session;
      if (tag !== undefined) {
        const isDryRun = options.has("dry-run");
        const change: TaggedChange["change"] = (ctx, some) =>
          extendMany(ctx, { list, life, reason, ...some });
        return changeTagged(session, { list, tag, isDryRun, done: "extended", change });
      }
      const { change, outcomes } = await extendEntries(context, { list, addresses, life, reason });
      const applied = await awaitApplied(change);
      const refused = reportRefused(outcomes);
      const absent = reportAbsent(outcomes, list, "cannot be extended");
      const error = refused.error ?? absent;
      return {
        lines: [...outcomes.flatMap((outcome) => say(outcome, list, now())), ...sayApplied(change, applied)],
        complaints: [...refused.complaints, ...(absent ? absent.message.split("\n") : [])],
        json: { list, change, applied, outcomes: outcomes.map(toJson), ...(error && { error }) },
        ...(error && { exit: exitCode.refused }),
      };
    },
  };
}

function readLife(options: GivenOptions): Life {
  const parsed = parseLife(options.text("ttl") ?? "1w");
  if (parsed.ok) return parsed.value;
  throw new DomainError("bad-input", `--ttl: ${parsed.reason}.`, { ttl: parsed.reason });
}

function say(outcome: ExtendOutcome, list: string, now: number): string[] {
  if (outcome.outcome === "refused" || outcome.outcome === "absent") return [];
  const end = until(outcome.expiresAt, now);
  if (outcome.outcome === "kept")
    return [`${outcome.address} is already on the ${list} ${end}. Nothing changed.`];
  return [`${outcome.address} stays on the ${list} ${end}.`];
}

function toJson(outcome: ExtendOutcome) {
  return "expiresAt" in outcome ? { ...outcome, expiresAt: isoOrNull(outcome.expiresAt) } : outcome;
}
