import { counted, countText } from "../../../components/ui/count-text.ts";
import type { Role } from "../../../lib/auth/roles.ts";
import type { ListName } from "../../../lib/redis/keys.ts";
import { forHowLong } from "./time-words.ts";

/** What is said of either list. */
export interface ListWords {
  readonly title: string;
  /** On the button: "Block 2 for 1 week". */
  readonly verb: string;
  /** "2 blocked for 1 week" */
  readonly done: string;
  readonly other: ListName;
  readonly effect: string;
  readonly empty: string;
  readonly emptyHint: string;
}

export const wordsOf: Readonly<Record<ListName, ListWords>> = {
  blocklist: {
    title: "Blocklist",
    verb: "Block",
    done: "blocked",
    other: "safelist",
    effect: "answered with 403",
    empty: "Nobody is blocked",
    emptyHint:
      "Paste addresses above, or import a CSV file. Every entry ends by itself unless an admin says never.",
  },
  safelist: {
    title: "Safelist",
    verb: "Safelist",
    done: "safelisted",
    other: "blocklist",
    effect: "never blocked or throttled",
    empty: "Nobody is safelisted",
    emptyHint:
      "Paste addresses that must always pass: offices, monitors, partners. The safelist wins over everything.",
  },
};

/** "1 address and 2 ranges" */
export function kindsOf(addresses: readonly string[]): string {
  const ranges = addresses.filter((address) => address.includes("/")).length;
  const single = addresses.length - ranges;
  const parts = [
    ...(single > 0 ? [counted(single, "address", "addresses")] : []),
    ...(ranges > 0 ? [counted(ranges, "range")] : []),
  ];
  return parts.join(" and ");
}

/** The button repeats what will happen. */
export function outcomeOf(list: ListName, count: number, ttlMs: number | null): string {
  return `${wordsOf[list].verb} ${countText(count)} ${forHowLong(ttlMs)}`;
}

/** What came of it, in the past; without a life each has its own. */
export function resultOf(list: ListName, done: number, ttlMs: number | null | undefined): string {
  if (done === 0) return "Nothing had to be changed";
  const words = `${countText(done)} ${wordsOf[list].done}`;
  return ttlMs === undefined ? words : `${words} ${forHowLong(ttlMs)}`;
}

/** Through which door an entry came, for people. */
export function sourceOf(via: string | undefined): string {
  if (via === undefined) return "Written by hand";
  if (via === "console") return "Console";
  if (via === "cli") return "Command line";
  return via.startsWith("auto:") ? "Auto-ban" : via;
}

/** "1–50 of 1,204" */
export function placesOf(from: number, to: number, matching: number): string {
  return matching === 0
    ? "0 of 0"
    : `${countText(from + 1)}–${countText(Math.max(from + 1, to))} of ${countText(matching)}`;
}

/** For whoever may only read. */
export function readOnlySentence(list: ListName, role: Role, who: string): string {
  return `Your role, ${role}, reads this list. ${capital(who)} can change it: ask one of them to ${wordsOf[list].verb.toLowerCase()} an address.`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** "Listed 3 times before": on the list, and off it again. */
export function listedBefore(count: number): string {
  if (count === 0) return "Never listed before";
  return `Listed ${count === 1 ? "once" : counted(count, "time")} before`;
}

const actions: Readonly<Record<string, string>> = {
  add: "Added",
  import: "Imported",
  extend: "Extended",
  remove: "Removed",
  ban: "Banned by a rule",
  restore: "Restored",
};

/** What a record of the audit log was about, in the past. */
export function actionWords(action: string): string {
  if (action.startsWith("undo")) return "Undone";
  const verb = action.split(".").at(-1) ?? action;
  return actions[verb] ?? action;
}
