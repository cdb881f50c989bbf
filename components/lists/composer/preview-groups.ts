import { counted, countText } from "@/components/ui/value-text.ts";
import type { LineStatus, LinesPreview, PreviewedLine } from "@/lib/manage/lists/previewed-lines.ts";
import type { ListName } from "@/lib/redis/keys.ts";

import { kindsOf } from "../list-words.ts";
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
}

export interface Correction {
  readonly line: number;
  readonly to: string;
}

const mostDetails = 3;

/** Groups of a preview, most important first. Lines that will be written come before the others. */
export function groupsOf(list: ListName, { lines, willWrite }: LinesPreview): readonly Group[] {
  const written = new Set(willWrite);
  const isWritten = (line: PreviewedLine) => line.address !== undefined && written.has(line.address);
  const rest = lines.filter((line) => !isWritten(line) || line.status === "duplicate");
  const of = (...statuses: readonly LineStatus[]) => rest.filter(({ status }) => statuses.includes(status));
  return [
    ...addition(
      lines.filter((line) => isWritten(line) && line.status !== "extends" && line.status !== "duplicate"),
    ),
    ...told(
      lines.filter((line) => isWritten(line) && line.status === "extends"),
      "add",
      (n) => `${countText(n)} already there will be extended`,
    ),
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
    ...unread(of("not-an-address")),
    ...told(of("unreadable"), "wrong", (n) => `${counted(n, "line")} cannot be read`),
    ...told(of("refused"), "wrong", (n) => `${counted(n, "line")} cannot be written`),
    ...told(of("kept", "extends"), "none", (n) => `${countText(n)} already there`),
    ...told(of("covered", "new"), "none", (n) => `${countText(n)} already covered`),
    ...told(of("duplicate"), "none", (n) => counted(n, "duplicate")),
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

function safelisted(list: ListName, lines: readonly PreviewedLine[]): readonly Group[] {
  const [first] = lines;
  if (!first) return [];
  const groups = told(lines, "safelisted", (n) => `${countText(n)} already safelisted`);
  if (list === "safelist") return groups;
  const link = { href: `/safelist?q=${encodeURIComponent(first.address ?? first.text)}`, text: "Open entry" };
  return groups.map((group) => ({ ...group, link }));
}

function unread(lines: readonly PreviewedLine[]): readonly Group[] {
  const corrections = lines.flatMap(({ line, suggestion }) => (suggestion ? [{ line, to: suggestion }] : []));
  const groups = told(lines, "wrong", (n) =>
    n === 1 ? "1 is not an address" : `${countText(n)} are not addresses`,
  );
  return groups.map((group) => ({
    ...group,
    ...(corrections.length > 0 && { corrections: corrections.slice(0, mostDetails) }),
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
