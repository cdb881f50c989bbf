import { findFlagged } from "../lists/flags.ts";
import { type Check, note, ok, plural, problem } from "./finding.ts";

export const entries: Check = {
  name: "entries",
  isThorough: true,
  async run({ redis, protectedRanges }) {
    const { flags, count } = await findFlagged(redis, protectedRanges);
    if (count === 0) return [ok("Every entry is well formed and enforced.")];
    const linesOf = (isEntry: boolean) => flags.filter((flag) => flag.isEntry === isEntry).map(sayFlag);
    const [notEnforced, overruled] = [linesOf(false), linesOf(true)];
    const cure = "Remove them (sluice block remove, sluice safelist remove, or DEL in redis-cli).";
    const more =
      count > flags.length ? ` There are ${count} in all: the first ${flags.length} are shown.` : "";
    const keys = plural(notEnforced.length, "key in Redis is", "keys in Redis are");
    return [
      ...(notEnforced.length > 0
        ? [problem(`${keys} not enforced.${more}`, { cure, details: notEnforced })]
        : []),
      ...(overruled.length > 0 ? [noteOverruled(overruled, notEnforced.length > 0 ? "" : more)] : []),
    ];
  },
};

function sayFlag({ key, message }: { key: string; message: string }): string {
  return `${key}: ${message}`;
}

function noteOverruled(details: readonly string[], more: string) {
  const what = plural(details.length, "blocklist entry has", "blocklist entries have");
  const says = `${what} no effect, because the safelist wins.${more}`;
  return note(says, { cure: "Remove the entries that are wrong.", details });
}
