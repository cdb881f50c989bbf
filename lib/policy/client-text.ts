import { createHash } from "node:crypto";

const longest = 128;

/**
 * A client fit for a key: short, and free of control characters. What is not is told by its digest, so that different
 * clients stay different.
 */
export function keyText(text: string): string {
  return text.length > longest || isOdd(text) ? createHash("sha1").update(text).digest("hex") : text;
}

function isOdd(text: string): boolean {
  let isWide = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || (code >= 127 && code < 160)) return true;
    if (code > 127) isWide = true;
  }
  return isWide && Buffer.byteLength(text) > longest;
}

/** Several texts as one, so that no two different lists look the same. */
export function joined(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll("%", "%25").replaceAll("|", "%7C")).join("|");
}
