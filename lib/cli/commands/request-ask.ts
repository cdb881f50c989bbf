import { oneWeekMs } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import { type RequestKind, requestKinds, sayWish } from "../../manage/requests/user-request.ts";
import { didYouMean } from "../../nearest.ts";
import type { Command } from "../command.ts";
import { readReason, readTtl } from "../operands.ts";

export const requestAsk: Command = {
  name: "request ask",
  takes: "<block|unblock|change> <target>",
  operands: { least: 2, most: 2 },
  summary: "Ask staff to block, unblock or change something",
  about: [
    "The target is an address or a range; of a change, what it is about. Nothing is enforced until staff confirm it.",
    "--ttl is how long a block lasts, at most 90 days. --reason is required.",
  ],
  options: ["ttl", "reason"],
  examples: [
    'sluice request ask block 203.0.113.9 --ttl 24h --reason "SEC-2291"',
    'sluice request ask change "customer 1042" --reason "wants the tier pro"',
  ],
  async run({ operands: [word = "", target = ""], options, writeAccess }) {
    const kind = kindOf(word);
    const { ttlMs = oneWeekMs } = readTtl(options);
    const reason = readReason(options);
    const { makeRequest } = await writeAccess();
    const request = await makeRequest({ kind, target, ttlMs, reason });
    return {
      lines: [`Staff are asked to ${sayWish(request)}. The request is ${request.id}.`],
      json: request,
    };
  },
};

function kindOf(word: string): RequestKind {
  const kind = requestKinds.find((one) => one === word);
  if (kind) return kind;
  const problem = `write one of ${requestKinds.join(", ")}`;
  throw new DomainError(
    "bad-input",
    `"${word.slice(0, 50)}" is nothing that can be asked for: ${problem}.${didYouMean(word, requestKinds)}`,
    { kind: problem },
  );
}
