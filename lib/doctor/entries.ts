import { findFlagged } from "../lists/flags.ts";
import { counted } from "./counted.ts";
import { type Check, note, ok, problem } from "./finding.ts";

export const entries: Check = {
  name: "entries",
  isThorough: true,
  async look({ redis, protectedRanges }) {
    const { flags, count } = await findFlagged(redis, protectedRanges);
    if (count === 0) return [ok("Every entry is well formed and obeyed.")];
    const told = (isEntry: boolean) => flags.filter((flag) => flag.isEntry === isEntry).map(sayFlag);
    const [disobeyed, overruled] = [told(false), told(true)];
    const cure = "Remove them (sluice block remove, sluice safelist remove, or DEL in redis-cli).";
    const more =
      count > flags.length ? ` There are ${count} in all; the first ${flags.length} are shown.` : "";
    const keys = counted(disobeyed.length, "key stands", "keys stand");
    return [
      ...(disobeyed.length > 0
        ? [problem(`${keys} in Redis that nobody obeys.${more}`, { cure, details: disobeyed })]
        : []),
      ...(overruled.length > 0 ? [noteOverruled(overruled, disobeyed.length > 0 ? "" : more)] : []),
    ];
  },
};

function sayFlag({ key, message }: { key: string; message: string }): string {
  return `${key}: ${message}`;
}

function noteOverruled(details: readonly string[], more: string) {
  const what = counted(details.length, "blocklist entry does", "blocklist entries do");
  const says = `${what} nothing, because the safelist wins.${more}`;
  return note(says, { cure: "Remove what was not meant.", details });
}
