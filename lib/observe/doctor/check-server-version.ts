import { type Check, type Finding, note, ok, problem } from "./finding.ts";
import { readInfo } from "./info.ts";

const newer = { cure: "Install Redis 7.4 or later, or Valkey." };

export const serverVersion: Check = {
  name: "version",
  run: async ({ redis }) => [judgeServer(await readInfo(redis, "server"))],
};

export function judgeServer(info: ReadonlyMap<string, string>): Omit<Finding, "check"> {
  const version = info.get("redis_version");
  if (version === undefined)
    return note("Redis does not report its version.", { cure: "Make sure that it is 6.2 or later." });
  const valkey = info.get("valkey_version");
  const name = valkey ? `Valkey ${valkey}` : `Redis ${version}`;
  if (info.get("redis_mode") === "cluster") {
    const cure = "Use one server or Sentinel for the lists. Only counters may be a cluster.";
    return problem(`${name} runs as a cluster.`, { cure });
  }
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < 6 || (major === 6 && minor < 2)) {
    return problem(`${name} is too old: it does not report whether client tracking works.`, newer);
  }
  if (valkey === undefined && (major < 7 || (major === 7 && minor < 4))) {
    const says = `${name} works, but its authors no longer fix this release line. A Linux distribution may still do so.`;
    return note(says, newer);
  }
  return ok(`${name}.`);
}
