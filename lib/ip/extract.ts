import { type Block, format, isWhole, scan } from "./block.ts";
import { type Cidr, type Ip, parseAddress } from "./parse.ts";
import { type Span, spanOf } from "./span.ts";

/** What a line of any text says about addresses. */
export type Extraction =
  /** One address or range is meant, without a doubt. A range `a-b` may take several entries. */
  | { readonly kind: "exact"; readonly addresses: readonly (Ip | Cidr)[] }
  /** Probably meant: a person decides. */
  | { readonly kind: "guess"; readonly addresses: readonly (Ip | Cidr)[]; readonly reason: string }
  /** Nothing in the line is an address. */
  | { readonly kind: "none"; readonly reason: string }
  /** Something in it looks like an address, and is none. */
  | { readonly kind: "typo"; readonly reason: string };

/** A part of a line that is an address, or nearly one. */
interface Candidate {
  readonly addresses: readonly (Ip | Cidr)[];
  /** Why a person decides. Undefined: without a doubt. */
  readonly doubt?: string | undefined;
}

/** Reads the addresses in a log line, a CSV row, a URL, a mail, a list with notes. Linear in the text. */
export function extract(text: string): Extraction {
  const line = text.trim();
  const whole = parseAddress(line);
  if (whole.ok) return { kind: "exact", addresses: [whole.value] };
  const plain = fanged.test(line) ? refanged(line) : line;
  const end = commentIn(plain);
  const body = end < 0 ? plain : plain.slice(0, end);
  const span = spacedSpan(body);
  const found = span ? { candidates: candidatesOf(span), typo: undefined } : findAll(body);
  if (found.candidates.length > 0) return judge(found.candidates, found.typo);
  const commented = end < 0 ? [] : findAll(plain.slice(end)).candidates;
  if (commented.length > 0) return judge(commented.map(doubted("is in a comment")), undefined);
  const { suggestion } = whole;
  if (suggestion !== undefined && !plain.includes("]/"))
    return { kind: "guess", addresses: [suggestion], reason: whole.reason };
  if (span && !span.ok) return { kind: "typo", reason: `${quoted(line)} is not a range: ${span.reason}` };
  const typo = found.typo ?? (isNearly(line) ? whole.reason : undefined);
  return typo === undefined ? { kind: "none", reason: noAddress(line) } : { kind: "typo", reason: typo };
}

/** Only signs of an address, and a digit among them. */
function isNearly(line: string): boolean {
  return line === "" || (/^[\da-fx.:/%[\]+-]+$/i.test(line) && /\d/.test(line));
}

function noAddress(line: string): string {
  return `There is no address in ${quoted(line)}`;
}

function judge(candidates: readonly Candidate[], typo: string | undefined): Extraction {
  const distinct = [...new Map(candidates.map((one) => [one.addresses.join(), one])).values()];
  const [only, another] = distinct;
  if (only && !another) {
    const { addresses, doubt = typo } = only;
    return doubt === undefined ? { kind: "exact", addresses } : { kind: "guess", addresses, reason: doubt };
  }
  const all = [...new Set(distinct.flatMap(({ addresses }) => addresses))];
  // In a line with other addresses, they are of a proxy or a server.
  const outside = all.filter((address) => !insides.test(address));
  const reason = `There are ${distinct.length} addresses in this line: ${quoted(all.join(", "))}`;
  return { kind: "guess", addresses: outside.length > 0 ? outside : all, reason };
}

/** Canonical text of a private, loopback or link-local address, of a netmask or a multicast group. */
const insides =
  /^(?:(?:10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|(?:22[4-9]|2[345]\d))\.|0\.0\.0\.0|::1?$|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/;

const fanged = /[.:t][\])}]/i;
const dots = /[[({](?:\.|dot)[\])}]/gi;
const colons = /[[({]:[\])}]/g;

/** Undoes the ways in which reports keep addresses from being links. */
function refanged(line: string): string {
  return line.replace(dots, ".").replace(colons, ":");
}

/** Place of a comment behind the address. `;` begins one, too, but it also separates columns. */
function commentIn(line: string): number {
  return line.search(/\s(?:#|\/\/)/);
}

/** `a - b` alone in the line, as a registry writes a range. */
function spacedSpan(body: string): Span | undefined {
  const words = body.trim().split(/\s+/, 5);
  const label = words.length === 4 && /^[\w-]{1,30}:$/.test(words[0] ?? "") ? 1 : 0;
  const [first, dash, last, more] = words.slice(label);
  if (!first || !last || more !== undefined || !/^[-–—]$/.test(dash ?? "")) return undefined;
  const [from, to] = [scan(first), scan(last)];
  return from && to && from.family === to.family ? spanOf(from, to) : undefined;
}

function candidatesOf(span: Span): readonly Candidate[] {
  return span.ok ? [{ addresses: span.ranges }] : [];
}

interface FoundAll {
  readonly candidates: readonly Candidate[];
  /** Why something that looks like an address is none. */
  readonly typo: string | undefined;
}

/** A line of addresses alone has no more, because lines are short. Ranges take several each. */
const mostAddresses = 300;

function findAll(line: string): FoundAll {
  const candidates: Candidate[] = [];
  const inPaths: Candidate[] = [];
  let typo: string | undefined;
  let previous = "";
  let isPath = false;
  let count = 0;
  for (let at = 0; at < line.length && count < mostAddresses; ) {
    const begin = at;
    while (at < line.length && kindOf(line, at) === partKind) at++;
    if (at === begin) {
      // A log writes what is between white space or quotes as one value.
      if (kindOf(line, at) === valueKind) isPath = false;
      else if (line[at] === "?") isPath = true;
      at++;
      continue;
    }
    const part = line.slice(begin, at);
    const before = previous;
    previous = part;
    if (!marks.test(part)) continue;
    const read = isVersion.test(before) ? unread : readPart(part, aroundOf(line, begin, at));
    // A log quotes the referrer, which the client chooses.
    const isAside = isPath || (read.isUrl && begin > 0 && quotes.includes(line.charAt(begin - 1)));
    for (const found of read.candidates) {
      (isAside ? inPaths : candidates).push(
        isAside ? doubted("is in a URL, a path or a query")(found) : found,
      );
      count += found.addresses.length;
    }
    if (!isPath) typo ??= read.typo;
    isPath ||= read.isPath;
  }
  return { candidates: candidates.length > 0 ? candidates : inPaths, typo };
}

const [partKind, separatorKind, valueKind] = [0, 1, 2];
const separators = ",;|()[]{}<>=@&?#\\!";
const quotes = "\"'`";
/** Kinds of the ASCII characters. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (separators.includes(character)) return separatorKind;
  return /\s/.test(character) || quotes.includes(character) ? valueKind : partKind;
});
const otherQuotes = /[\s“”„‘’«»]/;

function kindOf(line: string, at: number): number {
  const code = line.charCodeAt(at);
  const kind = kinds[code];
  return kind ?? (otherQuotes.test(line.charAt(at)) ? valueKind : partKind);
}

/** The separators around a part, inside its value. */
function aroundOf(line: string, begin: number, end: number): Around {
  const before = begin > 0 && kindOf(line, begin - 1) === separatorKind ? line.charAt(begin - 1) : "";
  return {
    before,
    after: end < line.length && kindOf(line, end) === separatorKind ? line.slice(end, end + 3) : "",
  };
}

/** Words before four numbers with dots that are no address. */
const isVersion = /^(?:v|ver|version|release|build|firmware|kernel|section|chapter)[:.]?$/i;

interface Around {
  /** The separator before the part. Empty at the beginning of a value. */
  readonly before: string;
  /** The separator behind it, and two more characters. Empty at the end of a value. */
  readonly after: string;
}

interface ReadPart extends FoundAll {
  /** What follows in the value is the path or the query of a URL. */
  readonly isPath: boolean;
  readonly isUrl?: boolean;
}

const unread: ReadPart = { candidates: [], typo: undefined, isPath: false };

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Every address and every path has one. */
const marks = /[.:/]/;

function readPart(given: string, around: Around): ReadPart {
  const isLength = around.before === "" && given.startsWith("/") && /^\/\d{1,3}$/.test(given);
  if (isLength) return { ...unread, typo: `${given} has no address before it` };
  const url = scheme.exec(given)?.[0];
  const part = withoutStop(url === undefined ? given : given.slice(url.length));
  const slash = part.indexOf("/");
  const isPath = slash >= 0;
  if (url !== undefined) {
    const host = isPath ? part.slice(0, slash) : part;
    const candidates = around.after.startsWith("@") ? [] : readHost(host).candidates;
    return { candidates, typo: undefined, isPath, isUrl: true };
  }
  const read = readWord(part, slash);
  // A pattern such as 192.0.2.1[0-9], an escape, a negation: the address is not all of it.
  const isPattern = /^(?:[[({\\@]\S|[\])}]\/\d)/.test(around.after);
  const isOdd = isPattern || /[!\\]/.test(around.before);
  if (isOdd && /^[\])}]\/\d/.test(around.after)) return { ...unread, typo: read.typo };
  return { ...read, candidates: isOdd ? read.candidates.map(doubted(somethingElse)) : read.candidates };
}

const somethingElse = "can be something else here";

function doubted(what: string): (candidate: Candidate) => Candidate {
  return ({ addresses, doubt }) => ({ addresses, doubt: doubt ?? `${quoted(addresses.join(", "))} ${what}` });
}

/** A full stop or a colon behind an address ends a sentence. "::" is part of the address. */
function withoutStop(part: string): string {
  let end = part.length;
  while (part[end - 1] === ".") end--;
  if (part[end - 1] === ":" && part[end - 2] !== ":") end--;
  return part.slice(0, end);
}

/** Reads a part that is no URL. @param slash its first one, or -1 */
function readWord(part: string, slash: number): ReadPart {
  const block = scan(part);
  if (block?.family === 4 && isWhole(block))
    return { ...unread, candidates: [{ addresses: [format(block)] }] };
  const ranged = readSpan(part) ?? readWildcard(part);
  if (ranged) return ranged;
  const tail = slash < 0 ? "" : part.slice(slash);
  const head = slash < 0 ? part : part.slice(0, slash);
  if (tail === "") return { ...readHost(head), isPath: false };
  // Behind a digit it is not a path: 192.0.2.0/33, 192.0.2.0/255.255.255.0, 192.0.2.0/24-29.
  if (!/^\/\d/.test(tail)) return { ...readHost(head), isPath: true };
  const label = head.includes(".") ? head.lastIndexOf(":") + 1 : labelEnd(head);
  const text = part.slice(label);
  if (!scan(head.slice(label))) return { ...unread, isPath: true };
  const range = parseAddress(text);
  if (range.ok) return { candidates: [{ addresses: [range.value] }], typo: undefined, isPath: false };
  if (range.suggestion === undefined) return { ...unread, typo: range.reason };
  const doubt = range.reason;
  return { candidates: [{ addresses: [range.suggestion], doubt }], typo: undefined, isPath: false };
}

/** Place behind a label such as `client:`, which is not a group of IPv6. */
function labelEnd(text: string): number {
  const end = text.indexOf(":");
  return end > 0 && /[^\da-f]/i.test(text.slice(0, end)) ? end + 1 : 0;
}

/** Reads one address, with a label before it and a port behind it. */
function readHost(host: string): FoundAll {
  const wanted = host.slice(labelEnd(host));
  const block = wanted.length > 1 ? scan(wanted) : undefined;
  if (block && (block.family === 6 || !wanted.includes(":")))
    return { candidates: candidateOf(block, wanted), typo: undefined };
  if (block) return { candidates: [{ addresses: [format(block)] }], typo: undefined };
  if (wanted.includes("::")) return { candidates: [], typo: typoIn(wanted) };
  const pieces = host.split(":");
  const candidates = pieces.flatMap((piece, i) => {
    const block = scan(piece);
    if (!block) return [];
    const candidate = { addresses: [format(block)] };
    const isPort = !/\d\.\d/.test(pieces[i + 1] ?? "");
    return [isPort ? candidate : doubted(somethingElse)(candidate)];
  });
  return { candidates, typo: pieces.map(typoIn).find((typo) => typo !== undefined) };
}

/** Unicast and multicast IPv6 as they are used. A word such as `a::b`, or `12:` of a line number before it, is none. */
const usualV6 = /^(?:[23][\da-f]{3}|f[cdf][\da-f]{2}|fe[89ab][\da-f]|64|100|0{0,4}):/i;

function candidateOf(block: Block, text: string): readonly Candidate[] {
  const addresses = [format(block)];
  if (block.family === 4) return [{ addresses }];
  const isHardware = /^(?:[\da-f]{2}:){7}[\da-f]{2}$/i.test(text);
  if (isHardware || !/\d/.test(text)) return [];
  const candidate = { addresses };
  return [usualV6.test(text) ? candidate : doubted(somethingElse)(candidate)];
}

/** Why a text that looks like an address is none. Undefined if it is a number, a time, a name. */
function typoIn(text: string): string | undefined {
  const looksLikeOne =
    /^\d{1,3}(?:\.\d{1,5}){3,4}$/.test(text) || /^[\da-f]{0,5}(?::[\da-f]{0,5}){2,8}$/i.test(text);
  if (!looksLikeOne || (text.includes(":") && !text.includes("::"))) return undefined;
  const parsed = parseAddress(text);
  return parsed.ok ? undefined : parsed.reason;
}

/** Reads `a-b`. Of `192.0.2.10-20`, only the last part is named. */
function readSpan(part: string): ReadPart | undefined {
  const [first = "", last, more] = part.split(/[-–—]/, 3);
  if (last === undefined || more !== undefined) return undefined;
  const from = scan(first);
  if (!from || !isWhole(from)) return undefined;
  const isShort = /^\d{1,3}$/.test(last) && from.family === 4;
  const to = scan(isShort ? `${first.slice(0, first.lastIndexOf(".") + 1)}${last}` : last);
  if (!to) return undefined;
  const span = spanOf(from, to);
  if (!span.ok) return { ...unread, typo: `${quoted(part)} is not a range: ${span.reason}` };
  const doubt = isShort ? `${quoted(part)} is probably ${format(from)} to ${format(to)}` : undefined;
  return { ...unread, candidates: [{ addresses: span.ranges, doubt }] };
}

const wildcard = /^((?:\d{1,3}\.){1,3})(?:[*x](?:\.[*x]){0,2})$/i;

/** Reads `192.0.2.*`. */
function readWildcard(part: string): ReadPart | undefined {
  const known = wildcard.exec(part)?.[1];
  if (known === undefined) return undefined;
  const count = part.split(".").length;
  if (count > 4 || (count < 4 && part.toLowerCase().includes("x"))) return undefined;
  const bytes = known.split(".").length - 1;
  const range = parseAddress(
    `${known}${Array.from({ length: 4 - bytes }, () => "0").join(".")}/${8 * bytes}`,
  );
  if (!range.ok) return undefined;
  if (bytes < 2) return { ...unread, typo: `${part} is wider than /16, the widest that a list may have` };
  const doubt = `${part} is probably ${range.value}`;
  return { ...unread, candidates: [{ addresses: [range.value], doubt }] };
}

/** Beginning of a text, in printable ASCII. */
function quoted(text: string): string {
  const printable = text.replace(/[^ -~]/g, "\ufffd");
  return printable.length > 50 ? `${printable.slice(0, 50)}…` : printable;
}
