import { sayMode } from "../policy/mode-words.ts";
import { freshInstall } from "../policy/stored.ts";
import { readPolicy } from "../policy/versions.ts";
import { counted } from "./counted.ts";
import { type Check, note, ok, problem } from "./finding.ts";

export const policy: Check = {
  name: "policy",
  async look({ redis }) {
    const found = await readPolicy(redis);
    const { version, policy } = found;
    if (found.problem !== undefined) {
      const kept = `Nodes keep the last good one they had; the newest in Redis is version ${version}`;
      const cure = `Save one again: sluice policy rollback ${version}, or sluice policy set.`;
      return [problem(`${found.problem}. ${kept}.`, { cure })];
    }
    if (policy.mode !== "enforce") {
      const cure = "When that is not meant any more: sluice mode enforce.";
      return [note(sayMode(policy.mode), { cure })];
    }
    const which = version === freshInstall.version ? "that of a fresh install" : `version ${version}`;
    const watching = policy.rules.filter(({ mode }) => mode !== "enforce").length;
    const rest = watching > 0 ? `, ${watching} of them shadowed or off` : "";
    return [ok(`The policy in force is ${which}: ${counted(policy.rules.length, "rule")}${rest}.`)];
  },
};
