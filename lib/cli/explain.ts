import { DomainError } from "../errors.ts";
import { type Explanation, explain, type Step } from "../guard/explain.ts";
import { readRules } from "../guard/explain-rules.ts";
import type { GuardRequest } from "../guard/guard.ts";
import { parseIp } from "../ip/parse.ts";
import { createScales } from "../limits/scales.ts";
import { search } from "../lists/search.ts";
import type { Command } from "./command.ts";
import { withCounters } from "./counters.ts";
import { entryToJson } from "./entry.ts";
import { until } from "./moment.ts";
import { reasonOf } from "./operands.ts";
import type { Options } from "./options.ts";

/** A person waits longer than a request. */
const withinMs = 2_000;

export const explainClient: Command = {
  name: "explain",
  takes: "<ip>",
  operands: { least: 1, most: 1 },
  summary: "Say why a client is treated as it is, step by step",
  about: [
    "Nothing is written and nothing is counted. The step that decides is marked with >. Entries that stand in Redis",
    "but are not obeyed are shown with the reason why.",
  ],
  options: ["app", "path", "method", "customer"],
  examples: [
    "sluice explain 203.0.113.9",
    "sluice explain 203.0.113.9 --app storefront --path /login --customer 1042",
    "sluice explain 2001:db8::1 --json",
  ],
  async run({ operands: [text = ""], options, io, reading }) {
    const ip = parseIp(text);
    if (!ip.ok) throw new DomainError("bad-input", `${reasonOf(ip)}.`, { ip: reasonOf(ip) });
    const session = await reading();
    // A guard explains from its own copy while Redis is away. There is none here, so that must come out as it is.
    await search(session.redis, ip.value, session.protectedRanges);
    const request = readRequest(options);
    const explanation = await withCounters(session, io.environment, (counters) => {
      const sources = {
        redis: session.redis,
        scales: createScales(counters, { withinMs }),
        app: options.text("app") ?? "",
      };
      return explain(
        { ...session, readRules: (client) => readRules(sources, request, client) },
        { ip: ip.value },
      );
    });
    const steps = explanation.steps.map((step) => ({ ...step, entries: step.entries.map(entryToJson) }));
    return {
      lines: [sum(explanation), "", ...explanation.steps.flatMap((step) => say(step, session.now()))],
      json: { ...explanation, steps },
    };
  },
};

function readRequest(options: Options): Omit<GuardRequest, "ip"> {
  const customerId = options.text("customer");
  return {
    path: options.text("path") ?? "/",
    method: options.text("method")?.toUpperCase() ?? "GET",
    ...(customerId !== undefined && { customerId }),
  };
}

function sum({ client, outcome, status, steps }: Explanation): string {
  const decisive = steps.find(({ decides }) => decides);
  if (outcome === "safelisted") return `${client} always passes: the ${decisive?.step} decides.`;
  if (outcome === "pass") return `${client} passes: nothing stops it.`;
  return `${client} is ${outcome} (${status}): the ${decisive?.step} decides.`;
}

function say({ step, decides, says, entries, rules = [] }: Step, now: number): string[] {
  const indent = " ".repeat(13);
  const levels = rules.map((rule) => `${indent}${rule.isDeciding ? "> " : ""}${rule.says}`);
  const ends = entries.map(({ address, expiresAt }) => `${indent}${address}: ${until(expiresAt, now)}`);
  return [`${decides ? ">" : " "} ${step.padEnd(9)}  ${says}`, ...ends, ...levels];
}
