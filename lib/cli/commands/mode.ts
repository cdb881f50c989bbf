import { type Mode, modes } from "../../enforce/policy/schema.ts";
import { DomainError } from "../../errors.ts";
import { didYouMean } from "../../nearest.ts";
import { sayMode } from "../../observe/policy/mode.ts";
import type { ReadAccess, WriteAccess } from "../access/access.ts";
import { sayApplied } from "../applied.ts";
import type { Command, CommandReport } from "../command.ts";
import { isoOrNull, until } from "../moment.ts";
import { readFor, readReason } from "../operands.ts";
import { sayVersion } from "./policy-show.ts";

export const mode: Command = {
  name: "mode",
  takes: "[enforce|shadow|off]",
  operands: { least: 0, most: 1 },
  summary: "Show or set the mode of all rules",
  about: [
    "For emergencies: it takes effect even while others change the policy. In shadow, rules only report and the lists",
    "are enforced. Off, nothing is enforced, not even the blocklist. To set the mode of one rule, use sluice policy",
    "shadow, enforce or off.",
  ],
  options: ["for", "reason"],
  examples: [
    "sluice mode",
    'sluice mode shadow --for 2h --reason "the new rule denies customers"',
    "sluice mode enforce",
  ],
  async run({ operands: [text], options, readAccess, writeAccess }) {
    if (text === undefined) return show(await readAccess());
    const wanted = readMode(text);
    const [reason, forMs] = [readReason(options), readFor(options)];
    return change(await writeAccess(), wanted, reason, forMs);
  },
};

function readMode(text: string): Mode {
  const found = modes.find((known) => known === text);
  if (found) return found;
  const problem = `"${text.slice(0, 50)}" is not a mode: write one of ${modes.join(", ")}`;
  throw new DomainError("bad-input", `${problem}.${didYouMean(text, modes)}`, { mode: problem });
}

const sayEnd = (untilMs: number | undefined, nowMs: number) =>
  untilMs === undefined ? [] : [`It goes back ${until(untilMs, nowMs).replace(/^until/, "at")}.`];

async function show({ now, readPolicy }: ReadAccess): Promise<CommandReport> {
  const inForce = await readPolicy();
  const { version, policy, problem, timed } = inForce;
  const end = timed?.ends.find(({ part }) => part === "mode");
  return {
    lines: [sayMode(policy.mode), ...sayEnd(end?.atMs, now()), sayVersion(inForce)],
    complaints: problem === undefined ? [] : [`${problem}. Nodes keep version ${version}.`],
    json: { mode: policy.mode, version, until: isoOrNull(end?.atMs ?? null) },
  };
}

async function change(
  { now, setMode, awaitApplied }: WriteAccess,
  wanted: Mode,
  reason: string,
  forMs: number | undefined,
): Promise<CommandReport> {
  const untilMs = forMs === undefined ? undefined : now() + forMs;
  const saved = await setMode({ mode: wanted, reason, untilMs });
  const applied = await awaitApplied(saved.change);
  const kept = saved.change === null ? ["Already in this mode. Nothing changed."] : [];
  return {
    lines: [sayMode(wanted), ...sayEnd(untilMs, now()), ...kept, ...sayApplied(saved.change, applied)],
    json: {
      mode: wanted,
      version: saved.version,
      until: isoOrNull(untilMs ?? null),
      change: saved.change,
      applied,
    },
  };
}
