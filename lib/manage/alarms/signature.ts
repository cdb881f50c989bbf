import { createHmac } from "node:crypto";

/** Signs a webhook's message: HMAC-SHA256 of "<timestamp>.<body>". @param timestamp seconds since 1970 */
export function signatureOf(key: string, timestamp: number, body: string): string {
  return `v1=${createHmac("sha256", key).update(`${timestamp}.${body}`).digest("hex")}`;
}
