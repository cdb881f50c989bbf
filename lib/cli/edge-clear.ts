import { clearEdge, sayFingerprint } from "../edge/clear.ts";
import { settle } from "../edge/settle.ts";
import { sweepOf } from "../edge/start.ts";
import type { Command } from "./command.ts";
import { hasSettled, saySettled } from "./edge-settled.ts";
import { exitCode } from "./exit-code.ts";
import { readReason } from "./operands.ts";
import { counted } from "./words.ts";

export const edgeClear: Command = {
  name: "edge clear",
  takes: "<client|key>…",
  operands: { least: 1, most: 200 },
  summary: "Let clients in again that the edge turns away",
  about: [
    "A client is an IP address, which means all its fingerprints, or one fingerprint as text; a key is the SHA-1 that",
    "edge status shows. What they did until now no longer counts; who comes too often again is turned away again.",
    "Exits with 1 unless every edge has followed.",
  ],
  options: ["reason"],
  examples: [
    'sluice edge clear 203.0.113.9 --reason "by phone"',
    "sluice edge clear shop.example:/login:POST:203.0.113.9:curl/8.5.0",
  ],
  async run({ operands, options, io: { environment }, writing }) {
    const reason = readReason(options);
    const sweep = sweepOf(environment);
    const { context, redis } = await writing();
    const { cleared } = await clearEdge(context, { clients: operands, reason });
    const state = await settle(redis, sweep(redis));
    return {
      lines: [
        ...cleared.map((fingerprint) => `Let in again: ${sayFingerprint(fingerprint)}.`),
        `${counted(cleared.length, "fingerprint")}.`,
        ...saySettled(state),
      ],
      json: { cleared, state: state ?? null },
      exit: hasSettled(state) ? exitCode.done : exitCode.refused,
    };
  },
};
