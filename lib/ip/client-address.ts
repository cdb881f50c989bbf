import { at } from "../at.ts";
import { type Block, formatIp, longestText, scan } from "./block.ts";
import { type Ip, type Parsed, parseRanges } from "./parse.ts";
import { type RangeList, rangeList } from "./range-list.ts";

/** Trusted proxies: the last so many hops, or every proxy in these ranges. */
export interface Trust {
  readonly hops: number;
  readonly ranges: RangeList;
}

const noTrust: Trust = { hops: 0, ranges: rangeList([]) };

const mostHops = 32;

/**
 * Reads a trusted-proxies setting: a hop count (`2`, `"2"`), or addresses and ranges (a list, or a text
 * separated by commas or spaces). Undefined, an empty text and 0 trust no proxy.
 */
export function parseTrust(setting: number | string | readonly string[] | undefined): Parsed<Trust> {
  if (setting === undefined) return { ok: true, value: noTrust };
  if (typeof setting === "number") return trustHops(setting);
  if (typeof setting !== "string") return trustRanges(setting);
  if (/^\s*-?\d+(\.\d+)?\s*$/.test(setting)) return trustHops(Number(setting));
  return trustRanges(setting);
}

function trustHops(hops: number): Parsed<Trust> {
  if (!Number.isInteger(hops) || hops < 0 || hops > mostHops) {
    return { ok: false, reason: `A number of trusted proxies is a whole number from 0 to ${mostHops}` };
  }
  return { ok: true, value: { ...noTrust, hops } };
}

function trustRanges(texts: string | readonly string[]): Parsed<Trust> {
  const ranges = parseRanges(texts);
  return ranges.ok ? { ok: true, value: { hops: 0, ranges: rangeList(ranges.value) } } : ranges;
}

/**
 * Address of the client: the socket's peer, or the one that trusted proxies report in `X-Forwarded-For`. The header
 * is read from the right, because the first untrusted hop may have invented everything to its left.
 *
 * @example
 * clientAddress("10.0.0.2", "203.0.113.9, 10.0.0.7", trustOfTenSlashEight) // "203.0.113.9"
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | null | undefined,
  trust: Trust,
): Ip | undefined {
  let client = readPeer(peer);
  let end = forwardedFor?.length ?? 0;
  for (let hop = 0; client && forwardedFor && end > 0 && isTrusted(client, hop, trust); hop++) {
    const comma = forwardedFor.lastIndexOf(",", end - 1);
    const reported = readHop(forwardedFor.slice(comma + 1, end));
    if (!reported) break;
    client = reported;
    end = comma;
  }
  return client && formatIp(client);
}

function isTrusted(address: Block, hop: number, trust: Trust): boolean {
  return hop < trust.hops || trust.ranges.covering(address) !== undefined;
}

/** Reads the socket's peer. Node adds the interface to a link-local address (`fe80::1%eth0`). */
export function readPeer(peer: string | undefined): Block | undefined {
  return peer === undefined ? undefined : readIp(at(peer.split("%", 1), 0));
}

/** Reads one entry of the header. Some proxies add the port. The length is checked before any pattern runs. */
export function readHop(entry: string): Block | undefined {
  const hop = entry.trim();
  if (hop.length > longestText) return undefined;
  const match = /^\[([^\]:]*:[^\]]*)\](?::\d{1,5})?$/.exec(hop) ?? /^([\d.]+):\d{1,5}$/.exec(hop);
  return readIp(match?.[1] ?? hop);
}

function readIp(text: string): Block | undefined {
  return text.includes("/") ? undefined : scan(text);
}
