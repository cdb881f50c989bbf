import { forHowLong } from "@/components/console/time-words.ts";
import { counted, countText } from "@/components/ui/value-text.ts";
import type { Role } from "@/lib/manage/users/roles.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import type { Selection } from "./selection/selection.ts";

/** Words for each list. */
export const wordsOf = {
  blocklist: {
    title: "Blocklist",
    /** On the button: "Block 2 for 1 week". */
    verb: "Block",
    /** "2 blocked for 1 week" */
    done: "blocked",
    effect: "answered with 403",
    empty: "The blocklist is empty",
    emptyHint:
      "Paste addresses above, or import a CSV file. Every entry expires, unless an admin chooses “never expires”.",
  },
  safelist: {
    title: "Safelist",
    verb: "Safelist",
    done: "safelisted",
    effect: "never blocked or throttled",
    empty: "The safelist is empty",
    emptyHint:
      "Paste addresses that must always pass: offices, monitors, partners. The safelist wins over every rule and the blocklist.",
  },
} satisfies Readonly<Record<ListName, unknown>>;

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

/** "16,384 addresses"; IPv6 is counted in /64 networks, the usual size for one customer. */
export function rangeSize(range: string): string {
  const [address = "", length = "32"] = range.split("/");
  if (!address.includes(":")) return counted(2 ** (32 - Number(length)), "address", "addresses");
  const networks = 2 ** Math.max(0, 64 - Number(length));
  return networks === 1 ? "one network" : `${counted(networks, "network")} of /64`;
}

/** Label of the button. */
export function outcomeOf(list: ListName, count: number, ttlMs: number | null): string {
  return `${wordsOf[list].verb} ${countText(count)} ${forHowLong(ttlMs)}`;
}

/**
 * Result of a write. Without a duration, each entry has its own.
 *
 * @param addresses that were to be written; a single one is named
 */
export function resultOf(
  list: ListName,
  done: number,
  ttlMs: number | null | undefined,
  addresses: readonly string[] = [],
): string {
  if (done === 0) return "No change needed";
  const [only, another] = addresses;
  const what = only !== undefined && another === undefined ? only : countText(done);
  const words = `${what} ${wordsOf[list].done}`;
  return ttlMs === undefined ? words : `${words} ${forHowLong(ttlMs)}`;
}

/** Source of an entry. */
export function sourceOf(via: string | undefined): string {
  if (via === undefined) return "Redis";
  if (via === "console") return "Console";
  if (via === "cli") return "Command line";
  if (via === "api") return "API";
  return via.startsWith("auto:") ? "Auto-ban" : via;
}

/** "1–50 of 1,204" */
export function placesOf(from: number, to: number, matching: number): string {
  return matching === 0
    ? "0 of 0"
    : `${countText(from + 1)}–${countText(Math.max(from + 1, to))} of ${countText(matching)}`;
}

/** For roles that may only read the list. */
export function readOnlySentence(list: ListName, role: Role, who: string): string {
  return `Your role (${role}) can view this list. To ${wordsOf[list].verb.toLowerCase()} an address, ask ${who}.`;
}

interface PastListings {
  /** How often it was put on a list before. The current time does not count. */
  readonly listedBefore: number;
  readonly records: readonly unknown[];
  /** False: only a part of the log was searched. */
  readonly isWhole: boolean;
}

/** "Listed 3 times before": added and removed again. Undefined where records below say more, or where it is not known. */
export function sayListedBefore({ listedBefore, records, isWhole }: PastListings): string | undefined {
  if (listedBefore > 0) return `Listed ${listedBefore === 1 ? "once" : counted(listedBefore, "time")} before`;
  return isWhole && records.length === 0 ? "Never listed before" : undefined;
}

const actions: Readonly<Record<string, string>> = {
  add: "Added",
  import: "Imported",
  extend: "Extended",
  tag: "Tags changed",
  remove: "Removed",
  ban: "Banned by a rule",
  restore: "Restored",
};

/** Action of an audit record, in the past tense. */
export function actionWords(action: string): string {
  if (action.startsWith("undo")) return "Undone";
  const verb = action.split(".").at(-1) ?? action;
  return actions[verb] ?? action;
}

export function extendedWords(chosen: Selection, done: number, forMs: number | null): string {
  const what = subjectOf(chosen, done);
  if (done === 0) return "Nothing to extend";
  return forMs === null
    ? `${what} now ${done === 1 ? "never expires" : "never expire"}`
    : `${what} extended ${forHowLong(forMs).replace("for ", "by ")}`;
}

export function taggedWords(chosen: Selection, done: number): string {
  return done === 0 ? "No tag to change" : `${subjectOf(chosen, done)} tagged`;
}

export function removedWords(list: ListName, chosen: Selection, done: number): string {
  return done === 0 ? "Nothing to remove" : `${subjectOf(chosen, done)} removed from the ${list}`;
}

/** Name of one entry, or the number of several. */
function subjectOf(chosen: Selection, done: number): string {
  const [only, another] = chosen.kind === "rows" ? chosen.entries.keys() : [];
  return only !== undefined && another === undefined ? only : countText(done);
}
