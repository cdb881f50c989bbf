import { readPolicy } from "../../enforce/policy/versions.ts";
import { type Limited, limitsOf } from "../../manage/edge/decide.ts";
import { readLimited } from "../../manage/edge/limited.ts";
import { type EdgeSyncState, readState, staleAfterMs } from "../../manage/edge/state.ts";
import { type EdgeSwitch, findSwitch } from "../../manage/edge/switch.ts";
import { plural } from "../../observe/doctor/finding.ts";
import type { Command } from "../command.ts";
import { until } from "../moment.ts";
import { readLimit } from "../operands.ts";
import { columns, printable } from "../terminal.ts";

export const edgeStatus: Command = {
  name: "edge status",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show the clients that the edge denies, and the state of each edge",
  about: ["Clients with the most requests come first."],
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
    const isRunning = state !== undefined && now() - state.at < staleAfterMs;
    const shown = limited.slice(0, most);
    return {
      lines: [
        sayEdge(edge, policy.mode),
        ...sayEdgeState(state, isRunning),
        "",
        ...(shown.length > 0 ? columns([head, ...shown.map((one) => row(one, now()))]) : []),
        sayCount(limited.length, shown.length, state),
      ],
      json: {
        edge,
        mode: policy.mode,
        limits: limitsOf(policy.edge),
        isSwept: isRunning,
        state: state ?? null,
        limited,
      },
    };
  },
};

export function sayEdge({ isOn, by, at, reason }: EdgeSwitch, mode: string): string {
  const byWord =
    by === undefined ? "" : `, by ${printable(by)} at ${at}${reason ? ` (${printable(reason)})` : ""}`;
  if (!isOn) return `The edge is off${byWord}: it denies no client.`;
  return mode === "enforce"
    ? `The edge is on${byWord}.`
    : `The edge is on${byWord}, but the mode is ${mode}: it denies no client.`;
}

/** State of the sync, with a line for each edge. */
export function sayEdgeState(state: EdgeSyncState | undefined, isRunning: boolean): string[] {
  if (!state || !isRunning) return ["Edge sync is stopped: no console is running on this Redis."];
  if (state.dictionaries.length === 0)
    return ["No edge is connected. Set SLUICE_EDGE where the console runs."];
  return state.dictionaries.map(({ name, wished, actual, behindSince, trouble }) => {
    const holds = actual === null ? "its content is unknown" : `it holds ${actual} of ${wished} fingerprints`;
    const state = behindSince === null ? "in sync" : `behind since ${new Date(behindSince).toISOString()}`;
    return `${name}: ${state}; ${holds}.${trouble === null ? "" : ` ${trouble}`}`;
  });
}

const head = ["CLIENT", "WHAT", "WORST MINUTE", "LIMIT", "DENIED", "KEY", "USER AGENT"];

function row({ fingerprint, count, limit, until: end }: Limited, now: number): string[] {
  const { ip, host, path, method, userAgent, key } = fingerprint;
  const what = host === undefined ? "everything" : `${method} ${host}${path}`;
  return [ip, printable(what), String(count), String(limit), until(end, now), key, printable(userAgent)];
}

function sayCount(all: number, shown: number, state: EdgeSyncState | undefined): string {
  const found =
    state && state.found > all ? ` of ${state.found} over a limit: the edge has no room for more` : "";
  const hidden = all > shown ? ` The worst ${shown} are shown: --limit all shows every fingerprint.` : "";
  return `${plural(all, "fingerprint")}${found}.${hidden}`;
}

/** Whether every edge is in sync. False if no edge is connected. */
export function isInSync(state: EdgeSyncState | undefined): boolean {
  const { dictionaries } = state ?? { dictionaries: [] };
  return dictionaries.length > 0 && dictionaries.every(({ behindSince }) => behindSince === null);
}

export function saySync(state: EdgeSyncState | undefined): string[] {
  if (state && state.dictionaries.length > 0) return sayEdgeState(state, true);
  return ["No edge is connected. Set SLUICE_EDGE to the value that the console has, or start the console."];
}
