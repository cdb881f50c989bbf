import { DomainError } from "../errors.ts";
import { parseDuration } from "../lists/duration.ts";
import { type Level, levelsSchema } from "../policy/levels.ts";

/** Reads `100/60s 1000/1h`, and tells of each that cannot be kept, not of the first alone. */
export function readLevels(texts: readonly string[]): readonly Level[] {
  const problems = new Map<string, string>();
  const tell = (text: string, problem: string) => {
    if (!problems.has(text)) problems.set(text, `"${text.slice(0, 50)}" cannot be kept: ${problem}`);
  };
  const read = texts.flatMap((text) => {
    const level = readLevel(text);
    if (!level) tell(text, "write limit/period, such as 100/60s, 1000/1h or 10000/1d");
    return level ? [{ text, level }] : [];
  });
  const checked = levelsSchema.safeParse(read.map(({ level }) => level));
  for (const { path, message } of checked.error?.issues ?? []) {
    const at = read[Number(path[0] ?? Number.NaN)];
    if (at)
      tell(at.text, path[1] === "limit" ? `as its limit, ${message}` : `as its period in s, ${message}`);
    else if (read.length > 0) problems.set("levels", message);
  }
  if (checked.success && problems.size === 0) return checked.data;
  const told = [...problems.values()].map((problem) => `${problem}.`);
  throw new DomainError("bad-input", [...told, "Nothing was done."].join("\n"), Object.fromEntries(problems));
}

/** Nothing when it does not look like a level; what is out of bounds is left to the policy's own check. */
function readLevel(text: string): Level | undefined {
  const [, limit, period = ""] = /^(\d+)\/((?:\d+[wdhms])+)$/i.exec(text.trim()) ?? [];
  if (limit === undefined) return undefined;
  const duration = parseDuration(period);
  return { limit: Number(limit), periodSeconds: duration.ok ? (duration.value ?? 0) / 1_000 : 0 };
}
