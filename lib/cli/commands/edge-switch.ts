import { readPolicy } from "../../enforce/policy/versions.ts";
import { settle } from "../../manage/edge/settle.ts";
import { edgeSyncOf } from "../../manage/edge/start.ts";
import { findSwitch, switchEdge } from "../../manage/edge/switch.ts";
import type { Command } from "../command.ts";
import { exitCode } from "../failure.ts";
import { readReason } from "../operands.ts";
import { isInSync, sayEdge, saySync } from "./edge-status.ts";

/** `edge on` and `edge off`. */
export function edgeSwitch(word: "on" | "off"): Command {
  const isOn = word === "on";
  return {
    name: `edge ${word}`,
    takes: "",
    operands: { least: 0, most: 0 },
    summary: isOn ? "Deny clients at the edge again" : "Deny no client at the edge",
    about: [
      "The console that syncs the edges applies it within a second. If no console is running, this command syncs them:",
      "set SLUICE_EDGE to the value that the console has. Rules and lists are not affected.",
      "Exits with 1 unless every edge is in sync.",
    ],
    options: ["reason"],
    examples: [`sluice edge ${word} --reason "${isOn ? "the page is fixed" : "the edge denies customers"}"`],
    async run({ options, io: { environment }, writing }) {
      const reason = readReason(options);
      const edgeSync = edgeSyncOf(environment);
      const { context, redis } = await writing();
      const { hasChanged } = await switchEdge(context, { isOn, reason });
      const state = await settle(redis, edgeSync(redis));
      const { policy } = await readPolicy(redis);
      return {
        lines: [
          sayEdge(await findSwitch(redis), policy.mode),
          ...(hasChanged ? [] : [`The edge was already ${word}. Nothing changed.`]),
          ...saySync(state),
        ],
        json: { isOn, hasChanged, state: state ?? null },
        exit: isInSync(state) ? exitCode.done : exitCode.refused,
      };
    },
  };
}
