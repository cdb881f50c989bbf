import { namesOf } from "@/components/console/owner-words.ts";
import { counted, countText } from "@/components/ui/value-text.ts";
import type {
  Conflict,
  LineOwner,
  LineStatus,
  LinesPreview,
  PreviewedLine,
} from "@/lib/manage/lists/previewed-lines.ts";
import type { ListName } from "@/lib/redis/keys.ts";

import { kindsOf } from "../list-words.ts";
import type { LineKind } from "./typed-lines.ts";
import type { Sign } from "./verdicts.tsx";

/** Lines with the same verdict: a bold sentence, and its details. */
export interface Group {
  readonly sign: Sign;
  readonly title: string;
  readonly details: readonly string[];
  /** Number of details that are not shown. */
  readonly more: number;
  /** Link to the entry that prevents the write. */
  readonly link?: { readonly href: string; readonly text: string };
  /** Ranges to type again. */
  readonly ask?: readonly string[];
  /** Suggestions for lines with a fault. */
  readonly corrections?: readonly Correction[];
  /** What the write means for entries of the other list, with the address whose requests are counted. */
  readonly conflicts?: readonly ShownConflict[];
  /** Addresses of customers, to be chosen. */
  readonly owned?: readonly OwnedLine[];
  /** Filter that shows the group's lines. */
  readonly kind?: LineKind;
}

export interface OwnedLine {
  readonly address: string;
  readonly owners: readonly LineOwner[];
}

interface ShownConflict {
  readonly address: string;
  readonly says: string;
  /** The sentence has no requests of the last hour. */
  readonly asksRequests: boolean;
}

export interface Correction {
  readonly line: number;
  readonly to: string;
}

const mostDetails = 3;

/** Groups of a preview, most important first. Lines that will be written come before the others. */
export function groupsOf(
  list: ListName,
  { lines, willWrite, areCustomersUnknown = false }: LinesPreview,
  /** Comments, and other lines that the preview does not name. */
  leftOut = 0,
): readonly Group[] {
  const written = new Set(willWrite);
  const isWritten = (line: PreviewedLine) => line.address !== undefined && written.has(line.address);
  const rest = lines.filter((line) => !isWritten(line) || line.status === "duplicate");
  const of = (...statuses: readonly LineStatus[]) => rest.filter(({ status }) => statuses.includes(status));
  const faulty = of("not-an-address", "no-address");
  return [
    ...addition(
      lines.filter((line) => isWritten(line) && !["extends", "tags", "duplicate"].includes(line.status)),
    ),
    ...told(
      lines.filter((line) => isWritten(line) && line.status === "extends"),
      "add",
      (n) => `${countText(n)} already there will be extended`,
    ),
    ...told(
      lines.filter((line) => isWritten(line) && line.status === "tags"),
      "add",
      (n) => `${countText(n)} already there will be tagged`,
    ),
    ...unblocking(list, lines.filter(isWritten)),
    ...suggesting(faulty.filter(({ suggestions = [] }) => suggestions.length > 0)),
    ...owned(lines),
    ...(areCustomersUnknown ? [unknownCustomers] : []),
    ...asking(of("confirm")),
    ...safelisted(list, of("safelisted")),
    ...told(
      of("own"),
      "own",
      (n) => (n === 1 ? "1 is your own address" : `${countText(n)} contain your own address`),
      ["Skipped so that you keep access."],
    ),
    ...told(of("protected"), "wrong", (n) =>
      n === 1 ? "1 line overlaps a protected range" : `${countText(n)} lines overlap protected ranges`,
    ),
    ...told(of("too-wide"), "wrong", (n) => `${countText(n)} too wide for a list`),
    ...told(of("unreadable"), "wrong", (n) => `${counted(n, "line")} cannot be read`),
    ...told(of("refused"), "wrong", (n) => `${counted(n, "line")} cannot be written`),
    ...told(of("kept", "extends", "tags"), "none", (n) => `${countText(n)} already there`),
    ...told(of("covered", "new"), "none", (n) => `${countText(n)} already covered`),
    ...told(of("duplicate"), "none", (n) => counted(n, "duplicate")),
    ...without(
      faulty.filter(({ suggestions = [] }) => suggestions.length === 0),
      leftOut,
    ),
  ];
}

function addition(lines: readonly PreviewedLine[]): readonly Group[] {
  if (lines.length === 0) return [];
  const addresses = lines.flatMap(({ address }) => address ?? []);
  const ranges = addresses.filter((address) => address.includes("/"));
  const named = ranges.length > 0 && ranges.length <= 2 ? ` (${ranges.join(", ")})` : "";
  const safe = lines.reduce((sum, { coversSafelisted = 0 }) => sum + coversSafelisted, 0);
  const details = [
    `${kindsOf(addresses)}${named}.`,
    ...(safe > 0
      ? [`${counted(safe, "safelisted entry", "safelisted entries")} inside: they still pass.`]
      : []),
  ];
  return [{ sign: "add", title: `${countText(lines.length)} will be added`, details, more: 0 }];
}

function asking(lines: readonly PreviewedLine[]): readonly Group[] {
  if (lines.length === 0) return [];
  const ask = [...new Set(lines.flatMap(({ address }) => address ?? []))];
  const title =
    lines.length === 1
      ? "1 wide range is not written yet"
      : `${countText(lines.length)} wide ranges are not written yet`;
  return [{ sign: "ask", title, details: ["Type the range again to confirm it."], more: 0, ask }];
}

/** Clients that are blocked now and would pass. */
function unblocking(list: ListName, lines: readonly PreviewedLine[]): readonly Group[] {
  if (list === "blocklist") return [];
  const found = lines.flatMap(({ address, conflict }) =>
    address !== undefined && conflict ? [unblockingOf(address, conflict)] : [],
  );
  if (found.length === 0) return [];
  const title =
    found.length === 1
      ? "1 conflicts with the blocklist"
      : `${countText(found.length)} conflict with the blocklist`;
  const conflicts = found.slice(0, mostDetails);
  return [{ sign: "wrong", title, details: [], conflicts, more: found.length - conflicts.length }];
}

function unblockingOf(address: string, { by, inside, decided }: Conflict): ShownConflict {
  const sentences: string[] = [];
  if (by) {
    const where = by.address === address ? "is on the blocklist" : `is blocked by ${by.address}`;
    const why = by.reason === "" ? "" : ` (${by.reason})`;
    sentences.push(`${address} ${where}${why}: it will pass from now on.`);
  }
  if (inside > 0) {
    const what = by
      ? `It contains ${counted(inside, "more entry", "more entries")}`
      : `${address} contains ${counted(inside, "entry", "entries")}`;
    sentences.push(`${what} of the blocklist: ${inside === 1 ? "it" : "they"} will have no effect.`);
  }
  // Without a known denial, all requests of these addresses are shown.
  const asksRequests = (decided?.requests ?? 0) === 0;
  if (decided && !asksRequests) {
    const entries = (by ? 1 : 0) + inside === 1 ? "The entry" : "These entries";
    const least = decided.isAll ? "" : "at least ";
    sentences.push(`${entries} denied ${least}${counted(decided.requests, "request")} in the last hour.`);
  }
  return { address, says: sentences.join(" "), asksRequests };
}

function safelisted(list: ListName, lines: readonly PreviewedLine[]): readonly Group[] {
  const [first] = lines;
  if (!first) return [];
  if (list === "safelist") return told(lines, "safelisted", (n) => `${countText(n)} already safelisted`);
  const byEntry = new Map<string, PreviewedLine[]>();
  for (const line of lines) {
    const entry = line.conflict?.by?.address ?? line.address ?? line.text;
    byEntry.set(entry, [...(byEntry.get(entry) ?? []), line]);
  }
  const shown = [...byEntry.values()].slice(0, mostDetails);
  const conflicts = shown.flatMap(safelistedBy);
  const title =
    lines.length === 1
      ? "1 conflicts with the safelist"
      : `${countText(lines.length)} conflict with the safelist`;
  const groups: readonly Group[] = [
    { sign: "safelisted", title, details: [], conflicts, more: lines.length - shown.flat().length },
  ];
  const link = { href: `/safelist?q=${encodeURIComponent(first.address ?? first.text)}`, text: "Open entry" };
  return groups.map((group) => ({ ...group, link }));
}

/** Several addresses of one safelist entry have one sentence. */
function safelistedBy(lines: readonly PreviewedLine[]): readonly ShownConflict[] {
  const [first, another] = lines;
  if (!first) return [];
  const address = first.address ?? first.text;
  const by = first.conflict?.by;
  if (!another || !by) return [{ address, says: first.message, asksRequests: true }];
  const why = by.reason === "" ? "" : ` (${by.reason})`;
  const says = `${countText(lines.length)} addresses are safelisted by ${by.address}${why}: they are skipped, because the safelist wins.`;
  return [{ address, says, asksRequests: false }];
}

function suggesting(lines: readonly PreviewedLine[]): readonly Group[] {
  const corrections = lines.map(({ line, suggestions = [] }) => ({ line, to: suggestions.join("\n") }));
  const groups = told(lines, "suggest", (n) =>
    n === 1 ? "1 line has a suggestion" : `${countText(n)} lines have a suggestion`,
  );
  return groups.map((group) => ({ ...group, corrections, kind: "suggestions" }));
}

const unknownCustomers: Group = {
  sign: "own",
  title: "Customers unknown",
  details: [
    "An address without a customer may be a customer’s: a node does not report them, or they failed to load.",
  ],
  more: 0,
};

/** Addresses that can be chosen. */
const mostOwned = 20;

function owned(lines: readonly PreviewedLine[]): readonly Group[] {
  const found = lines.flatMap(({ address, owners = [] }) =>
    address !== undefined && owners.length > 0 ? [{ address, owners }] : [],
  );
  if (found.length === 0) return [];
  const customers = [...new Set(found.flatMap(({ owners }) => owners.map(({ customer }) => customer)))];
  const who = namesOf(customers.map((customer) => ({ customer })));
  const whose = customers.length === 1 ? "customer" : "customers";
  const title =
    found.length === 1
      ? `1 line is an address of ${whose} ${who}`
      : `${countText(found.length)} lines are addresses of ${whose} ${who}`;
  const details = ["Not blocked unless you choose them. Requests in the last hour:"];
  const shown = found.slice(0, mostOwned);
  return [
    { sign: "own", title, details, owned: shown, more: found.length - shown.length, kind: "customers" },
  ];
}

/** Typing errors are explained. Other text is not. */
function without(lines: readonly PreviewedLine[], leftOut: number): readonly Group[] {
  const typos = lines.filter(({ status }) => status === "not-an-address");
  const groups = told(lines, typos.length > 0 ? "wrong" : "none", (n) =>
    n === 1 ? "1 line has no address" : `${countText(n)} lines have no address`,
  );
  const messages = typos.map(detailOf);
  const also = leftOut > 0 ? [`${counted(leftOut, "other line")} with a comment or a header.`] : [];
  const details = [...also, ...messages.slice(0, mostDetails)];
  return groups.map((group) => ({
    ...group,
    details,
    more: Math.max(0, messages.length - mostDetails),
    kind: "none",
  }));
}

function told(
  lines: readonly PreviewedLine[],
  sign: Sign,
  title: (count: number) => string,
  says?: readonly string[],
): readonly Group[] {
  if (lines.length === 0) return [];
  const messages = says ?? [...new Set(lines.map(detailOf))];
  const details = messages.slice(0, mostDetails);
  return [{ sign, title: title(lines.length), details, more: messages.length - details.length }];
}

/** Message with its line or address, which the message leaves out beside its line. */
function detailOf({ line, address, message }: PreviewedLine): string {
  if (address === undefined) return `Line ${line}: ${message}`;
  return message.includes(address) ? message : `${address}: ${message}`;
}
