import type { Limited } from "../edge/decide.ts";
import { limitsOf } from "../edge/decide.ts";
import { readLimited } from "../edge/limited.ts";
import { readState, type SweepState, staleAfterMs } from "../edge/state.ts";
import { type EdgeSwitch, findSwitch } from "../edge/switch.ts";
import { readPolicy } from "../policy/versions.ts";
import { columns } from "./columns.ts";
import type { Command } from "./command.ts";
import { until } from "./moment.ts";
import { readLimit } from "./operands.ts";
import { printable } from "./printable.ts";
import { counted } from "./words.ts";

export const edgeStatus: Command = {
  name: "edge status",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show who is turned away at the edge, and how each edge stands",
  about: ["The worst come first. --limit says how many are shown; 100 unless given, all for every one."],
  options: ["limit"],
  examples: ["sluice edge status", "sluice edge status --json | jq '.limited[].fingerprint.ip'"],
  async run({ options, reading }) {
    const most = readLimit(options);
    const { redis, now } = await reading();
    const [edge, state, limited, { policy }] = await Promise.all([
      findSwitch(redis),
      readState(redis),
      readLimited(redis),
      readPolicy(redis),
    ]);
    const isSwept = state !== undefined && now() - state.at < staleAfterMs;
    const shown = limited.slice(0, most);
    return {
      lines: [
        sayEdge(edge, policy.mode),
        ...saySweep(state, isSwept),
        "",
        ...(shown.length > 0 ? columns([head, ...shown.map((one) => row(one, now()))]) : []),
        sayCount(limited.length, shown.length, state),
      ],
      json: {
        edge,
        mode: policy.mode,
        limits: limitsOf(policy.edge),
        isSwept,
        state: state ?? null,
        limited,
      },
    };
  },
};

export function sayEdge({ isOn, by, at, reason }: EdgeSwitch, mode: string): string {
  const who =
    by === undefined ? "" : `, by ${printable(by)} at ${at}${reason ? ` (${printable(reason)})` : ""}`;
  if (!isOn) return `The edge is off${who}: it turns nobody away.`;
  return mode === "enforce"
    ? `The edge is on${who}.`
    : `The edge is on${who}, and the mode is ${mode}: it turns nobody away.`;
}

/** A line for each edge. */
export function saySweep(state: SweepState | undefined, isSwept: boolean): string[] {
  if (!state || !isSwept) return ["Nobody sweeps: no console is running on this Redis."];
  if (state.dictionaries.length === 0)
    return ["No edge is connected: SLUICE_EDGE is not set where the console runs."];
  return state.dictionaries.map(({ name, wished, actual, behindSince, trouble }) => {
    const holds =
      actual === null ? "nobody knows what it holds" : `it holds ${actual} of ${wished} wished for`;
    const state = behindSince === null ? "as wished" : `behind since ${new Date(behindSince).toISOString()}`;
    return `${name}: ${state}; ${holds}.${trouble === null ? "" : ` ${trouble}`}`;
  });
}

const head = ["CLIENT", "WHAT", "WORST MINUTE", "LIMIT", "LET IN", "KEY", "USER AGENT"];

function row({ fingerprint, count, limit, until: end }: Limited, now: number): string[] {
  const { ip, host, path, method, userAgent, key } = fingerprint;
  const what = host === undefined ? "everything" : `${method} ${host}${path}`;
  return [ip, printable(what), String(count), String(limit), until(end, now), key, printable(userAgent)];
}

function sayCount(all: number, shown: number, state: SweepState | undefined): string {
  const found = state && state.found > all ? ` of ${state.found} that came too often; no more fit` : "";
  const hidden = all > shown ? ` Shown are the worst ${shown}; --limit all shows every one.` : "";
  return `${counted(all, "fingerprint")}${found}.${hidden}`;
}
