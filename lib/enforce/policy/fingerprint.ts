import { createHash } from "node:crypto";
import type { Ip } from "../../ip/parse.ts";

/** What an edge looks up: the digest of a fingerprint's bytes. Headers reach Node byte by byte, as Latin-1. */
export function keyOf(fingerprint: string): string {
  const bytes = Buffer.from(fingerprint, isLatin1(fingerprint) ? "latin1" : "utf8");
  return createHash("sha1").update(bytes).digest("hex");
}

export const isKey = (text: string): boolean => /^[0-9a-f]{40}$/.test(text);

const longestAgent = 256;

/** Who asks for what: for limiting `/foo` while `/bar` is not. */
export function standardFingerprint(
  host: string,
  path: string,
  method: string,
  ip: Ip,
  userAgent: string,
): string {
  return `${bareHost(host)}:${path}:${method}:${broadFingerprint(ip, userAgent)}`;
}

/** Who asks at all: for scrapers, fuzzers and the like. */
export function broadFingerprint(ip: Ip, userAgent: string): string {
  return `${ip}:${cutToBytes(userAgent)}`;
}

/** In lower case and without its port, also of an IPv6 address in brackets. */
export function bareHost(host: string): string {
  const colon = host.indexOf(":", host.lastIndexOf("]") + 1);
  return (colon < 0 ? host : host.slice(0, colon)).toLowerCase();
}

/** Node reads headers as Latin-1, a byte a character; anything else is measured as UTF-8. */
function cutToBytes(text: string): string {
  if (text.length <= longestAgent / 3 || isLatin1(text)) return text.slice(0, longestAgent);
  const bytes = Buffer.from(text);
  if (bytes.length <= longestAgent) return text;
  let end = longestAgent;
  // Not in the middle of a character.
  while ((bytes.readUInt8(end) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}

export function isLatin1(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 255) return false;
  return true;
}
