import { formatIp } from "./block.ts";
import type { Refusal } from "./parse.ts";
import { longestText, scan } from "./scan.ts";

/** A pattern that gives the mistake away, and what to tell its author. Group 1 is the address inside, if any. */
type Mistake = readonly [when: RegExp, why: string];

const aroundAnAddress: readonly Mistake[] = [
  [/[\s,;]/, "write one address at a time"],
  [/:\/\//, "write the address alone instead of a URL"],
  [/^([^%/]*)%/, "leave out the network interface after the %"],
  [/^\[([^\]/]*)\]|[[\]]/, "leave out the brackets and the port"],
  [/^(\d*\.[\d.]*):\d*$/, "leave out the port"],
];

const inThePrefixLength: readonly Mistake[] = [
  [/\/.*\//, "it has more than one slash"],
  [/\/$/, "the prefix length after the slash is missing"],
  [/\/[\d.]*\.[\d.]*$/, "write a prefix length such as /24 instead of a netmask"],
  [/\/.*\D/, "the prefix length after the slash is not a whole number"],
  [/\/0\d/, "a prefix length has no leading zeros"],
];

const inDottedParts: readonly Mistake[] = [
  [/^$/, "the address is missing"],
  [/0x/i, "hexadecimal parts are not accepted"],
  [/[^\d.]/, "it has only digits and dots"],
  [/(^|\.)0\d/, "a part with a leading zero could be meant as octal"],
  [/^(?!([^.]*\.){3}[^.]*$)/, "it has four parts"],
  [/^\.|\.\.|\.$/, "a part is empty"],
];

const inGroups: readonly Mistake[] = [
  [/[^\da-f:.]/i, "it has only hexadecimal digits and colons"],
  [/:::|::.*::/, 'there is more than one "::"'],
  [/[\da-f]{5}/i, "each group has at most four digits"],
  [/^:(?!:)|[^:]:$/, "it begins or ends with a single colon"],
];

/** Says why a trimmed text, which `scan` did not accept, is no address or range. */
export function refusalOf(text: string): Refusal {
  if (text === "") return { ok: false, reason: "An address or a range is missing" };
  if (text.length > longestText) return { ok: false, reason: "This is too long to be an address or a range" };
  const around = aroundAnAddress.find(([when]) => when.test(text));
  if (!around) return { ok: false, reason: addressReason(text) ?? lengthReason(text) };
  const [when, why] = around;
  const reason = sentence(text, "an address or a range", why);
  const inner = scan(when.exec(text)?.[1] ?? "");
  return inner ? { ok: false, reason, suggestion: formatIp(inner) } : { ok: false, reason };
}

/** What is wrong with the address before any slash; nothing if the prefix length is to blame. */
function addressReason(text: string): string | undefined {
  const address = text.split("/", 1)[0] ?? "";
  if (scan(address)) return undefined;
  if (!address.includes(":")) {
    const kind = /\d/.test(address) ? "an IPv4 address" : "an address or a range";
    return sentence(text, kind, dottedWhy(address));
  }
  const tail = address.slice(address.lastIndexOf(":") + 1);
  const isTailWrong = tail.includes(".") && !scan(tail);
  const groupsWhy = () => whyOf(inGroups, address, 'it has eight groups, or fewer and one "::"');
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

/** What may be echoed of a text: its beginning, and printable ASCII only. */
export function shown(text: string): string {
  const printable = text.replace(/[^ -~]/g, "\ufffd");
  return printable.length > 50 ? `${printable.slice(0, 50)}…` : printable;
}
