import { DomainError } from "../errors.ts";
import { type ExtendOutcome, extendEntries } from "../lists/extend.ts";
import { type Life, parseLife } from "../lists/life.ts";
import { awaitApplied, sayApplied } from "./applied.ts";
import type { Command } from "./command.ts";
import { exitCode } from "./exit-code.ts";
import type { Failure } from "./failure.ts";
import { isoOrNull, until } from "./moment.ts";
import { readAddresses, readReason } from "./operands.ts";
import type { Options } from "./options.ts";
import { tellRefused } from "./refused.ts";
import { type ListWord, listNamed } from "./words.ts";

export function listExtend(word: ListWord): Command {
  const list = listNamed[word];
  return {
    name: `${word} extend`,
    takes: "<address…>",
    operands: { least: 1, most: Number.POSITIVE_INFINITY },
    summary: `Let entries of the ${list} live longer`,
    about: [
      "The duration is added to what is left. --ttl also takes a moment: 2030-01-31 or 2030-01-31T12:00:00Z.",
      "No entry is made shorter, and the reason that it carries stays.",
    ],
    options: ["ttl", "reason"],
    examples: [
      `sluice ${word} extend 203.0.113.9 --ttl 24h`,
      `sluice ${word} extend 203.0.113.9 --ttl never`,
    ],
    async run({ operands, options, writing }) {
      const addresses = readAddresses(operands);
      const life = readLife(options);
      const { context, redis, now } = await writing();
      const reason = readReason(options);
      const { change, outcomes } = await extendEntries(context, { list, addresses, life, reason });
      const applied = await awaitApplied(redis, change);
      const refused = tellRefused(outcomes);
      const absent = tellAbsent(outcomes, list);
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

function readLife(options: Options): Life {
  const parsed = parseLife(options.text("ttl") ?? "1w");
  if (parsed.ok) return parsed.value;
  throw new DomainError("bad-input", `--ttl: ${parsed.reason}.`, { ttl: parsed.reason });
}

function tellAbsent(outcomes: readonly ExtendOutcome[], list: string): Failure | undefined {
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
    return [`${outcome.address} is on the ${list} ${end} already. Nothing changed.`];
  return [`${outcome.address} stays on the ${list} ${end}.`];
}

function toJson(outcome: ExtendOutcome) {
  return "expiresAt" in outcome ? { ...outcome, expiresAt: isoOrNull(outcome.expiresAt) } : outcome;
}
