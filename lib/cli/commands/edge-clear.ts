import { clearEdge, sayFingerprint } from "../../manage/edge/clear.ts";
import { settle } from "../../manage/edge/settle.ts";
import { edgeSyncOf } from "../../manage/edge/start.ts";
import { plural } from "../../observe/doctor/finding.ts";
import type { Command } from "../command.ts";
import { exitCode } from "../failure.ts";
import { readReason } from "../operands.ts";
import { isInSync, saySync } from "./edge-status.ts";

export const edgeClear: Command = {
  name: "edge clear",
  takes: "<client|key>…",
  operands: { least: 1, most: 200 },
  summary: "Stop the edge from denying clients",
  about: [
    "A client is an IP address (all its fingerprints) or one fingerprint as text. A key is the SHA-1 that edge status",
    "shows. Their earlier requests no longer count. A client that exceeds a limit again is denied again.",
    "Exits with 1 unless every edge is in sync.",
  ],
  options: ["reason"],
  examples: [
    'sluice edge clear 203.0.113.9 --reason "by phone"',
    "sluice edge clear shop.example:/login:POST:203.0.113.9:curl/8.5.0",
  ],
  async run({ operands, options, io: { environment }, writing }) {
    const reason = readReason(options);
    const edgeSync = edgeSyncOf(environment);
    const { context, redis } = await writing();
    const { cleared } = await clearEdge(context, { clients: operands, reason });
    const state = await settle(redis, edgeSync(redis));
    return {
      lines: [
        ...cleared.map((fingerprint) => `No longer denied: ${sayFingerprint(fingerprint)}.`),
        `${plural(cleared.length, "fingerprint")}.`,
        ...saySync(state),
      ],
      json: { cleared, state: state ?? null },
      exit: isInSync(state) ? exitCode.done : exitCode.refused,
    };
  },
};
