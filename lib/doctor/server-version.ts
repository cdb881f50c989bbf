import { type Check, type Finding, note, ok, problem } from "./finding.ts";
import { readInfo } from "./info.ts";

const newer = { cure: "Install 7 or later." };

export const serverVersion: Check = {
  name: "version",
  look: async ({ redis }) => [judgeServer(await readInfo(redis, "server"))],
};

export function judgeServer(info: ReadonlyMap<string, string>): Omit<Finding, "check"> {
  const version = info.get("redis_version");
  if (version === undefined)
    return note("Redis does not say its version.", { cure: "It must be 6.2 or later." });
  const valkey = info.get("valkey_version");
  const name = valkey ? `Valkey ${valkey}` : `Redis ${version}`;
  if (info.get("redis_mode") === "cluster") {
    const cure = "Lists need one server or Sentinel; only counters may be a cluster.";
    return problem(`${name} runs as a cluster.`, { cure });
  }
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < 6 || (major === 6 && minor < 2)) {
    return problem(`${name} is too old: it cannot tell whether tracking is intact.`, newer);
  }
  if (major < 7) return note(`${name} works, but is no longer maintained.`, newer);
  return ok(`${name}.`);
}
