const prime = 16_777_619;

/** Distinguishes requests: 64 bits of FNV-1a. Browsers have no other digest on a page without TLS. */
export function fingerprint(...texts: readonly string[]): string {
  let [a, b] = [0x811c9dc5, 0x9dc5811c];
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      a = Math.imul(a ^ code, prime);
      b = Math.imul(b ^ (code + i), prime);
    }
    // Marks the end of each text.
    a = Math.imul(a ^ 0x10000, prime);
  }
  return [a, b].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
