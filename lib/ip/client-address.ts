import { type Block, formatIp } from "./block.ts";
import { type Cidr, type Ip, type Parsed, parseAddress } from "./parse.ts";
import { type RangeList, rangeList } from "./range-list.ts";
import { longestText, scan } from "./scan.ts";

/** Whose word about the client is believed: that of a number of hops, or of proxies in these ranges. */
export interface Trust {
  readonly hops: number;
  readonly ranges: RangeList;
}

export const trustNobody: Trust = { hops: 0, ranges: rangeList([]) };

const mostHops = 32;

/**
 * Reads a trusted-proxies setting: a hop count (`2`, `"2"`), or addresses and ranges (a list, or a text
 * parted by commas or spaces). Nothing, an empty text and 0 trust nobody.
 */
export function parseTrust(setting: number | string | readonly string[] | undefined): Parsed<Trust> {
  if (setting === undefined) return { ok: true, value: trustNobody };
  if (typeof setting === "number") return trustHops(setting);
  if (typeof setting !== "string") return trustRanges(setting);
  if (/^\s*-?\d+(\.\d+)?\s*$/.test(setting)) return trustHops(Number(setting));
  return trustRanges(setting.split(/[\s,]+/));
}

function trustHops(hops: number): Parsed<Trust> {
  if (!Number.isInteger(hops) || hops < 0 || hops > mostHops) {
    return { ok: false, reason: `A number of trusted proxies is a whole number from 0 to ${mostHops}` };
  }
  return { ok: true, value: { ...trustNobody, hops } };
}

function trustRanges(texts: readonly string[]): Parsed<Trust> {
  const ranges: (Ip | Cidr)[] = [];
  for (const text of texts) {
    if (text.trim() === "") continue;
    const parsed = parseAddress(text);
    if (!parsed.ok) return parsed;
    ranges.push(parsed.value);
  }
  return { ok: true, value: { hops: 0, ranges: rangeList(ranges) } };
}

/**
 * Who sent the request: the socket's peer, or what trusted proxies say in `X-Forwarded-For`. The header is
 * read from the right, because all to the left of the first untrusted hop is that hop's own invention.
 *
 * @example
 * clientAddress("10.0.0.2", "203.0.113.9, 10.0.0.7", trustOfTenSlashEight) // "203.0.113.9"
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | null | undefined,
  trust: Trust,
): Ip | undefined {
  const client = clientBlock(peer, forwardedFor, trust);
  return client && formatIp(client);
}

/** The same as numbers. */
export function clientBlock(
  peer: string | undefined,
  forwardedFor: string | null | undefined,
  trust: Trust,
): Block | undefined {
  let client = readPeer(peer);
  let end = forwardedFor?.length ?? 0;
  for (let hop = 0; client && forwardedFor && end > 0 && isTrusted(client, hop, trust); hop++) {
    const comma = forwardedFor.lastIndexOf(",", end - 1);
    const reported = readHop(forwardedFor.slice(comma + 1, end));
    if (!reported) break;
    client = reported;
    end = comma;
  }
  return client;
}

function isTrusted(address: Block, hop: number, trust: Trust): boolean {
  return hop < trust.hops || trust.ranges.covering(address) !== undefined;
}

/** Node names the interface of a link-local peer (`fe80::1%eth0`). */
export function readPeer(peer: string | undefined): Block | undefined {
  return peer === undefined ? undefined : readIp(peer.replace(/%.*$/, ""));
}

/** One entry of the header; some proxies add the port. Checked for its length before any pattern sees it. */
export function readHop(entry: string): Block | undefined {
  const hop = entry.trim();
  if (hop.length > longestText) return undefined;
  const match = /^\[([^\]]*:[^\]]*)\](?::\d{1,5})?$/.exec(hop) ?? /^([\d.]+):\d{1,5}$/.exec(hop);
  return readIp(match?.[1] ?? hop);
}

function readIp(text: string): Block | undefined {
  return text.includes("/") ? undefined : scan(text);
}
