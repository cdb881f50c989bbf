import { attackRules, attackSet } from "../../enforce/policy/timed.ts";
import type { PolicyInForce } from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import { sayAttackRule } from "../../observe/policy/attack-words.ts";
import type { ReadAccess, WriteAccess } from "../access/access.ts";
import { sayApplied } from "../applied.ts";
import type { Command, CommandReport } from "../command.ts";
import { isoOrNull, until } from "../moment.ts";
import { readFor, readReason } from "../operands.ts";

const hourMs = 3_600_000;

export const attack: Command = {
  name: "attack",
  takes: "[on|off]",
  operands: { least: 0, most: 1 },
  summary: "Show attack mode, or switch it on or off",
  about: [
    "Attack mode adds the rules that the policy has prepared under attack, or one limit for anonymous clients where it has none. It ends",
    "automatically after 15m to 24h, by default after 1h, on every node, even if no console runs. --app names the apps; without it, it is",
    "for all. While it is on, sluice attack on changes its end and its apps.",
  ],
  options: ["for", "app", "reason"],
  examples: [
    "sluice attack",
    'sluice attack on --for 30m --reason "a crowd of addresses tries passwords"',
    "sluice attack on --app shop --app blog --for 2h",
    "sluice attack off",
  ],
  async run({ operands: [wanted], options, readAccess, writeAccess }) {
    if (wanted === undefined) return show(await readAccess());
    const reason = readReason(options);
    if (wanted === "off") {
      const access = await writeAccess();
      return report(access, await access.endAttack({ reason }));
    }
    if (wanted !== "on")
      throw new DomainError("bad-input", `"${wanted.slice(0, 50)}" is neither on nor off.`);
    const apps = options.texts("app");
    const access = await writeAccess();
    const untilMs = access.now() + (readFor(options) ?? hourMs);
    const saved = await access.startAttack({ untilMs, reason, ...(apps.length > 0 && { apps }) });
    return report(access, saved);
  },
};

async function report(
  access: WriteAccess,
  { change, version }: { readonly change: number | null; readonly version: number },
): Promise<CommandReport> {
  const applied = await access.awaitApplied(change);
  const shown = await show(access);
  const kept = change === null ? ["Nothing changed."] : [];
  return {
    lines: [...shown.lines, ...kept, ...sayApplied(change, applied)],
    json: { ...shown.json, version, change, applied },
  };
}

async function show(access: ReadAccess) {
  const inForce = await access.readPolicy();
  const {
    sinceMs = null,
    untilMs = null,
    apps = null,
    by = null,
    reason = null,
  } = inForce.timed?.attack ?? {};
  return {
    lines: sayAttack(inForce, access.now()),
    json: {
      ...{ isOn: untilMs !== null, since: isoOrNull(sinceMs), until: isoOrNull(untilMs), apps, by, reason },
      rules: attackSet(inForce.policy.attack),
    },
  };
}

function sayAttack({ policy, timed }: PolicyInForce, nowMs: number): string[] {
  const on = timed?.attack;
  const rules = on ? attackRules(policy, on.apps) : attackSet(policy.attack);
  const listed = rules.map((rule) => `  ${rule.name}: ${sayAttackRule(rule)}`);
  if (!on) return ["Attack mode is off. It would add:", ...listed];
  const where = on.apps ? ` for ${on.apps.join(", ")}` : "";
  const isIdle =
    policy.mode === "enforce" ? [] : [`The mode is ${policy.mode}: these rules deny no request.`];
  const why = `  ${on.by}: ${on.reason}`;
  return [`Attack mode is on${where}, ${until(on.untilMs, nowMs)}.`, why, "It adds:", ...listed, ...isIdle];
}
