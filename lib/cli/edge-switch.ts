import { settle } from "../edge/settle.ts";
import { sweepOf } from "../edge/start.ts";
import { findSwitch, switchEdge } from "../edge/switch.ts";
import { readPolicy } from "../policy/versions.ts";
import type { Command } from "./command.ts";
import { hasSettled, saySettled } from "./edge-settled.ts";
import { sayEdge } from "./edge-status.ts";
import { exitCode } from "./exit-code.ts";
import { readReason } from "./operands.ts";

/** `edge on` and `edge off`. */
export function edgeSwitch(word: "on" | "off"): Command {
  const isOn = word === "on";
  return {
    name: `edge ${word}`,
    takes: "",
    operands: { least: 0, most: 0 },
    summary: isOn ? "Let the edge turn clients away again" : "Let in everybody whom the edge turns away",
    about: [
      "It takes effect at once: the console that sweeps takes it up within a second. Where no console is running, this",
      "command sweeps by itself, and then wants SLUICE_EDGE as the console has it. Rules and lists go on as they are.",
      "Exits with 1 unless every edge has followed.",
    ],
    options: ["reason"],
    examples: [`sluice edge ${word} --reason "${isOn ? "the page is mended" : "the edge stops customers"}"`],
    async run({ options, io: { environment }, writing }) {
      const reason = readReason(options);
      const sweep = sweepOf(environment);
      const { context, redis } = await writing();
      const { hasChanged } = await switchEdge(context, { isOn, reason });
      const state = await settle(redis, sweep(redis));
      const { policy } = await readPolicy(redis);
      return {
        lines: [
          sayEdge(await findSwitch(redis), policy.mode),
          ...(hasChanged ? [] : ["It was before. Nothing changed."]),
          ...saySettled(state),
        ],
        json: { isOn, hasChanged, state: state ?? null },
        exit: hasSettled(state) ? exitCode.done : exitCode.refused,
      };
    },
  };
}
