import { DomainError } from "../errors.ts";
import { sayMode } from "../policy/mode-words.ts";
import { type Mode, modes } from "../policy/schema.ts";
import { setMode } from "../policy/set-mode.ts";
import { readPolicy } from "../policy/versions.ts";
import { awaitApplied, sayApplied } from "./applied.ts";
import type { Command, Report } from "./command.ts";
import { nearest } from "./nearest.ts";
import { readReason } from "./operands.ts";
import { sayVersion } from "./policy-show.ts";
import type { Session, WritingSession } from "./session.ts";

export const mode: Command = {
  name: "mode",
  takes: "[enforce|shadow|off]",
  operands: { least: 0, most: 1 },
  summary: "Show or switch the mode of all rules at once",
  about: [
    "For emergencies: it is switched whatever else of the policy is being changed. In shadow, rules only report,",
    "and lists still stop. Off, nothing stops anyone, the blocklist neither. Each rule has a mode of its own, too:",
    "sluice policy shadow.",
  ],
  options: ["reason"],
  examples: [
    "sluice mode",
    'sluice mode shadow --reason "the new rule stops customers"',
    "sluice mode enforce",
  ],
  async run({ operands: [text], options, reading, writing }) {
    if (text === undefined) return show(await reading());
    const wished = readMode(text);
    const reason = readReason(options);
    return change(await writing(), wished, reason);
  },
};

function readMode(text: string): Mode {
  const found = modes.find((known) => known === text);
  if (found) return found;
  const meant = nearest(text, modes);
  const problem = `"${text.slice(0, 50)}" is no mode: write one of ${modes.join(", ")}`;
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  throw new DomainError("bad-input", `${problem}.${hint}`, { mode: problem });
}

async function show({ redis }: Session): Promise<Report> {
  const inForce = await readPolicy(redis);
  const { version, policy, problem } = inForce;
  return {
    lines: [sayMode(policy.mode), sayVersion(inForce)],
    complaints: problem === undefined ? [] : [`${problem}. Nodes keep version ${version}.`],
    json: { mode: policy.mode, version },
  };
}

async function change({ context, redis }: WritingSession, wished: Mode, reason: string): Promise<Report> {
  const saved = await setMode(context, { mode: wished, reason });
  const applied = await awaitApplied(redis, saved.change);
  const kept = saved.change === null ? ["It was before. Nothing changed."] : [];
  return {
    lines: [sayMode(wished), ...kept, ...sayApplied(saved.change, applied)],
    json: { mode: wished, version: saved.version, change: saved.change, applied },
  };
}
