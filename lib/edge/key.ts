import { createHash } from "node:crypto";
import { isLatin1 } from "../policy/fingerprint.ts";

/** What an edge looks up: the digest of a fingerprint's bytes. Headers reach Node byte by byte, as Latin-1. */
export function keyOf(fingerprint: string): string {
  const bytes = Buffer.from(fingerprint, isLatin1(fingerprint) ? "latin1" : "utf8");
  return createHash("sha1").update(bytes).digest("hex");
}

export const isKey = (text: string): boolean => /^[0-9a-f]{40}$/.test(text);
