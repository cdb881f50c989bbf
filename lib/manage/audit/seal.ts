import { createHmac, hkdfSync } from "node:crypto";
import { DomainError } from "../../errors.ts";
import { keys } from "../../redis/keys.ts";
import type { OpenBulk } from "./record.ts";

/** What the first record of the log follows. */
export const beginning = "sluice";

/** Proves that the writer of a record knows the secret, which Redis never sees. */
export interface Seal {
  /** A record's mac, over the mac before it and the record's own text. */
  record(previous: string, text: string): string;
  /** Proof that the log once ended at this record: without it a cut tail could be passed off as the whole. */
  end(n: number, mac: string): string;
  /** The same two for the entries of one record, which are a log of their own. */
  part(previous: string, text: string): string;
  partEnd(of: number, n: number, mac: string, facts: string): string;
}

export function sealFrom(secret: string): Seal {
  if (secret === "")
    throw new DomainError("not-configured", "NEXTAUTH_SECRET is missing: changes are sealed with it.");
  const key = Buffer.from(hkdfSync("sha256", secret, "", "sluice audit", 32));
  const sign = (text: string) => createHmac("sha256", key).update(text).digest("hex");
  return {
    record: (previous, text) => sign(`record\n${previous}\n${text}`),
    end: (n, mac) => sign(`end\n${n}\n${mac}`),
    part: (previous, text) => sign(`part\n${previous}\n${text}`),
    partEnd: (of, n, mac, facts) => sign(`part end\n${of}\n${n}\n${mac}\n${facts}`),
  };
}

/** A sealed log: the audit log itself, or the parts of one of its records. */
export interface AuditLog {
  readonly stream: string;
  readonly head: string;
  /** What its first entry follows. */
  readonly beginning: string;
  /** The mac of an entry. */
  seal(previous: string, text: string): string;
  /** Proof of where it ends. */
  end(n: number, mac: string, facts: string): string;
}

export function mainLog(seal: Seal): AuditLog {
  return {
    stream: keys.audit(),
    head: keys.auditHead(),
    beginning,
    seal: seal.record,
    end: (n, mac) => seal.end(n, mac),
  };
}

/** Chained to its record: it begins with the record's mac. */
export function partLog(seal: Seal, { n: of, mac: record }: Pick<OpenBulk, "n" | "mac">): AuditLog {
  return {
    stream: keys.auditPart(of, record),
    head: keys.auditPartHead(of, record),
    beginning: record,
    seal: seal.part,
    end: (n, mac, facts) => seal.partEnd(of, n, mac, facts),
  };
}
