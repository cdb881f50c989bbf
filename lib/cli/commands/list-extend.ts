import { DomainError } from "../../errors.ts";
import { type ExtendOutcome, extendEntries } from "../../manage/lists/extend.ts";
import { type Life, parseLife } from "../../manage/lists/life.ts";
import { sayApplied } from "../applied.ts";
import type { Command } from "../command.ts";
import { type CommandFailure, exitCode } from "../failure.ts";
import { type ListWord, listNamed, reportRefused } from "../list-report.ts";
import { isoOrNull, until } from "../moment.ts";
import { readAddresses, readReason } from "../operands.ts";
import type { GivenOptions } from "../options.ts";

export function listExtend(word: ListWord): Command {
  const list = listNamed[word];
  return {
    name: `${word} extend`,
    takes: "<address…>",
    operands: { least: 1, most: Number.POSITIVE_INFINITY },
    summary: `Extend entries of the ${list}`,
    about: [
      "The duration is added to the remaining time. --ttl also takes a date: 2030-01-31 or 2030-01-31T12:00:00Z.",
      "No entry is shortened, and its reason stays.",
    ],
    options: ["ttl", "reason"],
    examples: [
      `sluice ${word} extend 203.0.113.9 --ttl 24h`,
      `sluice ${word} extend 203.0.113.9 --ttl never`,
    ],
    async run({ operands, options, writing }) {
      const addresses = readAddresses(operands);
      const life = readLife(options);
      const { context, awaitApplied, now } = await writing();
      const reason = readReason(options);
      const { change, outcomes } = await extendEntries(context, { list, addresses, life, reason });
      const applied = await awaitApplied(change);
      const refused = reportRefused(outcomes);
      const absent = reportAbsent(outcomes, list);
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

function reportAbsent(outcomes: readonly ExtendOutcome[], list: string): CommandFailure | undefined {
  const absent = outcomes.filter(({ outcome }) => outcome === "absent").map(({ address }) => address);
  if (absent.length === 0) return undefined;
  const says = absent.map((address) => [
    address,
    `${address} is not on the ${list}, so it cannot be extended.`,
  ]);
  const message = says.map(([, sentence]) => sentence).join("\n");
  return { code: "not-found", message, fields: Object.fromEntries(says) };
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
