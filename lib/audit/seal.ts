import { createHmac, hkdfSync } from "node:crypto";
import { DomainError } from "../errors.ts";

/** What the first record of the log follows. */
export const beginning = "sluice";

/** Proves that a record was written by somebody who knows the secret, which Redis never sees. */
export interface Seal {
  /** A record's mac, over the mac before it and the record's own text. */
  record(previous: string, text: string): string;
  /** Proof that the log once ended at this record: without it a cut tail could be passed off as the whole. */
  end(n: number, mac: string): string;
}

export function sealFrom(secret: string): Seal {
  if (secret === "")
    throw new DomainError("not-configured", "NEXTAUTH_SECRET is missing: changes are sealed with it.");
  const key = Buffer.from(hkdfSync("sha256", secret, "", "sluice audit", 32));
  const sign = (text: string) => createHmac("sha256", key).update(text).digest("hex");
  return {
    record: (previous, text) => sign(`record\n${previous}\n${text}`),
    end: (n, mac) => sign(`end\n${n}\n${mac}`),
  };
}
