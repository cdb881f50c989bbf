import { at } from "../at.ts";
import { type Block, format, formatIp, isWhole, longestText, masked, maskOf, scan } from "./block.ts";

declare const brand: unique symbol;

/** One address in canonical text. Only the parser makes one. */
export type Ip = string & { readonly [brand]: "ip" };

/** A range of more than one address in canonical text. Only the parser makes one. */
export type Cidr = string & { readonly [brand]: "cidr" };

export interface AddressRefusal {
  readonly ok: false;
  /** Sentence for staff, safe to show: it quotes little of the input, and only printable characters. */
  readonly reason: string;
  /** The address or range that was probably meant. */
  readonly suggestion?: Ip | Cidr;
}

export type Parsed<T> = { readonly ok: true; readonly value: T } | AddressRefusal;

/** Parses one address that a person typed. */
export function parseIp(text: string): Parsed<Ip> {
  const trimmed = text.trim();
  const block = scan(trimmed);
  if (!block) return refusalOf(trimmed);
  if (isWhole(block)) return { ok: true, value: formatIp(block) };
  return { ok: false, reason: `${shown(trimmed)} is a range: write a single address` };
}

/** Parses an address or a range that a person typed. */
export function parseAddress(text: string): Parsed<Ip | Cidr> {
  const trimmed = text.trim();
  const block = scan(trimmed);
  if (!block) return refusalOf(trimmed);
  if (!hasHostBits(block)) return { ok: true, value: format(block) };
  const suggestion = format(masked(block, block.length));
  return {
    ok: false,
    reason: `${shown(trimmed)} begins inside its range: the range is ${suggestion}`,
    suggestion,
  };
}

/** Parses a setting that names addresses and ranges: a list, or a text separated by commas or spaces. */
export function parseRanges(setting: string | readonly string[] | undefined): Parsed<readonly (Ip | Cidr)[]> {
  const texts = typeof setting === "string" ? setting.split(/[\s,]+/) : (setting ?? []);
  const ranges: (Ip | Cidr)[] = [];
  for (const text of texts) {
    if (text.trim() === "") continue;
    const parsed = parseAddress(text);
    if (!parsed.ok) return parsed;
    ranges.push(parsed.value);
  }
  return { ok: true, value: ranges };
}

/** Reads any accepted spelling of an address or range, without trimming: for the hot path. */
export function readBlock(text: string): Block | undefined {
  const block = scan(text);
  return block && hasHostBits(block) ? undefined : block;
}

/** Numbers of an address or range that the parser has already accepted. */
export function blockOf(address: Ip | Cidr): Block {
  const block = readBlock(address);
  if (!block) throw new TypeError("A value that did not come from the parser was used as an address");
  return block;
}

/** Whether the text is an address or range exactly as Sluice writes it. */
export function isCanonical(text: string): text is Ip | Cidr {
  const block = readBlock(text);
  return block !== undefined && format(block) === text;
}

function hasHostBits({ a, b, c, d, length }: Block): boolean {
  const beyond =
    (a & ~maskOf(length, 0)) | (b & ~maskOf(length, 1)) | (c & ~maskOf(length, 2)) | (d & ~maskOf(length, 3));
  return beyond !== 0;
}

/** Pattern of a mistake, and the words for it. Group 1 is the address inside, if any. */
type Mistake = readonly [when: RegExp, why: string];

const aroundAnAddress: readonly Mistake[] = [
  [/[\s,;]/, "write one address at a time"],
  [/:\/\//, "write the address alone instead of a URL"],
  [/^([^%/]*)%/, "leave out the network interface after the %"],
  [/^\[([^\]/]*)\]|[[\]]/, "leave out the brackets and the port"],
  [/^(\d*\.[\d.]*):\d*$/, "leave out the port"],
];

const inThePrefixLength: readonly Mistake[] = [
  [/\/[^/]*\//, "it has more than one slash"],
  [/\/$/, "the prefix length after the slash is missing"],
  [/\/(?=\d*\.)[\d.]+$/, "write a prefix length such as /24 instead of a netmask"],
  [/\/\d*\D/, "the prefix length after the slash is not a whole number"],
  [/\/0\d/, "a prefix length has no leading zeros"],
];

const inDottedParts: readonly Mistake[] = [
  [/^$/, "the address is missing"],
  [/0x/i, "hexadecimal parts are not accepted"],
  [/[^\d.]/, "an IPv4 address has only digits and dots"],
  [/(^|\.)0\d/, "a part with a leading zero could be meant as octal"],
  [/^(?!([^.]*\.){3}[^.]*$)/, "an IPv4 address has four parts"],
  [/^\.|\.\.|\.$/, "a part is empty"],
];

const inGroups: readonly Mistake[] = [
  [/[^\da-f:.]/i, "an IPv6 address has only hexadecimal digits and colons"],
  [/:::|::.*::/, 'there is more than one "::"'],
  [/[\da-f]{5}/i, "each group has at most four digits"],
  [/^:(?!:)|[^:]:$/, "it begins or ends with a single colon"],
];

/** Explains why a trimmed text that `scan` did not accept is not an address or range. */
function refusalOf(text: string): AddressRefusal {
  if (text === "") return { ok: false, reason: "An address or a range is missing" };
  if (text.length > longestText) return { ok: false, reason: "This is too long to be an address or a range" };
  const around = aroundAnAddress.find(([when]) => when.test(text));
  if (!around) return { ok: false, reason: addressReason(text) ?? lengthReason(text) };
  const [when, why] = around;
  const reason = sentence(text, "an address or a range", why);
  const inner = scan(when.exec(text)?.[1] ?? "");
  return inner ? { ok: false, reason, suggestion: formatIp(inner) } : { ok: false, reason };
}

/** Mistake in the address before the slash. Undefined if the mistake is in the prefix length. */
function addressReason(text: string): string | undefined {
  const address = at(text.split("/", 1), 0);
  if (scan(address)) return undefined;
  if (!address.includes(":")) {
    const kind = /\d/.test(address) ? "an IPv4 address" : "an address or a range";
    return sentence(text, kind, dottedWhy(address));
  }
  const tail = address.slice(address.lastIndexOf(":") + 1);
  const isTailWrong = tail.includes(".") && !scan(tail);
  const groupsWhy = () => whyOf(inGroups, address, 'an IPv6 address has eight groups, or fewer and one "::"');
  return sentence(text, "an IPv6 address", isTailWrong ? dottedWhy(tail) : groupsWhy());
}

function dottedWhy(address: string): string {
  return whyOf(inDottedParts, address, "each part is at most 255");
}

function lengthReason(text: string): string {
  const longest = text.includes(":") ? 128 : 32;
  return sentence(text, "a range", whyOf(inThePrefixLength, text, `the prefix length is at most ${longest}`));
}

function whyOf(mistakes: readonly Mistake[], text: string, otherwise: string): string {
  return mistakes.find(([when]) => when.test(text))?.[1] ?? otherwise;
}

function sentence(text: string, kind: string, why: string): string {
  return `${shown(text)} is not ${kind}: ${why}`;
}

/** Beginning of a text, in printable ASCII, safe to quote in a message. */
function shown(text: string): string {
  const printable = text.replace(/[^ -~]/g, "\ufffd");
  return printable.length > 50 ? `${printable.slice(0, 50)}…` : printable;
}
