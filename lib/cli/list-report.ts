import type { CoveringEntry, RedisEntry } from "../enforce/lists/lookup.ts";
import type { RefusedEntry } from "../manage/lists/admission.ts";
import type { ListName } from "../redis/keys.ts";
import { type CommandFailure, exitCode } from "./failure.ts";
import { isoOrNull, left, moment } from "./moment.ts";
import { printable } from "./terminal.ts";

/** Word for a list on the command line. */
export type ListWord = "block" | "safelist";

export const listNamed = { block: "blocklist", safelist: "safelist" } as const satisfies Record<
  ListWord,
  ListName
>;

const longestCell = 80;

/** Cells of an entry. Made printable before they are aligned, because that makes them longer. */
export function entryRow(
  { address, expiresAt, note, ...rest }: RedisEntry | CoveringEntry,
  now: number,
): string[] {
  const flag = "notEnforcedBecause" in rest ? `NOT ENFORCED, ${rest.notEnforcedBecause}. ` : "";
  const end = expiresAt === null ? "-" : moment(expiresAt);
  return [
    address,
    end,
    left(expiresAt, now),
    cell(note.by ?? "-"),
    cell(note.tags?.join(" ") ?? "-"),
    `${flag}${cell(note.reason)}`,
  ];
}

export function entryToJson({ list, address, expiresAt, note, ...rest }: RedisEntry | CoveringEntry) {
  const disobeyed = "notEnforcedBecause" in rest ? { disobeyed: rest.notEnforcedBecause } : {};
  return { list, address, expiresAt: isoOrNull(expiresAt), ...note, ...disobeyed };
}

function cell(text: string): string {
  const safe = printable(text);
  return safe.length > longestCell ? `${safe.slice(0, longestCell - 1)}…` : safe;
}

interface RefusalReport {
  readonly complaints: readonly string[];
  readonly error?: CommandFailure;
  readonly exit?: 1;
}

/** Report on the addresses that were refused. Others may have been changed. */
export function reportRefused(
  outcomes: readonly (RefusedEntry | { readonly outcome: string })[],
): RefusalReport {
  const refused = outcomes.filter(isRefused);
  const [first] = refused;
  if (!first) return { complaints: [] };
  const complaints = refused.map(({ address, code, message }) =>
    code === "needs-confirmation" ? `${message} (--confirm ${address})` : message,
  );
  const fields = Object.fromEntries(refused.map(({ address, message }) => [address, message]));
  return {
    complaints,
    error: { code: first.code, message: complaints.join("\n"), fields },
    exit: exitCode.refused,
  };
}

/** Report on the addresses without an entry. @param then what follows from that: "cannot be extended" */
export function reportAbsent(
  outcomes: readonly { readonly address: string; readonly outcome: string }[],
  list: ListName,
  then: string,
): CommandFailure | undefined {
  const absent = outcomes.filter(({ outcome }) => outcome === "absent").map(({ address }) => address);
  if (absent.length === 0) return undefined;
  const says = absent.map((address) => [address, `${address} is not on the ${list}, so it ${then}.`]);
  const message = says.map(([, sentence]) => sentence).join("\n");
  return { code: "not-found", message, fields: Object.fromEntries(says) };
}

function isRefused(outcome: RefusedEntry | { readonly outcome: string }): outcome is RefusedEntry {
  return outcome.outcome === "refused";
}
