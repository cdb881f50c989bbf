import { type Block, format, formatIp, isWhole, masked, maskOf } from "./block.ts";
import { refusalOf, shown } from "./refusal.ts";
import { scan } from "./scan.ts";

declare const brand: unique symbol;

/** One address in canonical text. Only the parser makes one. */
export type Ip = string & { readonly [brand]: "ip" };

/** A range of more than one address in canonical text. Only the parser makes one. */
export type Cidr = string & { readonly [brand]: "cidr" };

export interface Refusal {
  readonly ok: false;
  /** A plain sentence for staff, safe to show: it echoes little, and nothing unprintable. */
  readonly reason: string;
  /** What was probably meant. */
  readonly suggestion?: Ip | Cidr;
}

export type Parsed<T> = { readonly ok: true; readonly value: T } | Refusal;

/** Parses what a person typed as one address. */
export function parseIp(text: string): Parsed<Ip> {
  const trimmed = text.trim();
  const block = scan(trimmed);
  if (!block) return refusalOf(trimmed);
  if (isWhole(block)) return { ok: true, value: formatIp(block) };
  return { ok: false, reason: `${shown(trimmed)} is a range: write a single address` };
}

/** Parses what a person typed as an address or a range. */
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

/** Reads any accepted spelling of an address or range, exactly as it stands: for the hot path. */
export function readBlock(text: string): Block | undefined {
  const block = scan(text);
  return block && hasHostBits(block) ? undefined : block;
}

/** The numbers of what the parser has already accepted. */
export function blockOf(address: Ip | Cidr): Block {
  const block = readBlock(address);
  if (!block) throw new TypeError("A value that no parser made was used as an address");
  return block;
}

/** Is the text an address or range exactly as Sluice writes it? */
export function isCanonical(text: string): text is Ip | Cidr {
  const block = readBlock(text);
  return block !== undefined && format(block) === text;
}

function hasHostBits({ a, b, c, d, length }: Block): boolean {
  const beyond =
    (a & ~maskOf(length, 0)) | (b & ~maskOf(length, 1)) | (c & ~maskOf(length, 2)) | (d & ~maskOf(length, 3));
  return beyond !== 0;
}
