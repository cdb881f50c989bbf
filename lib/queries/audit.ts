import { z } from "zod";
import { query, withParameters } from "./query.ts";

/** A piece of a sentence: plain words, or what somebody else wrote. */
const piece = z.union([
  z.string(),
  z.object({ text: z.string(), is: z.enum(["address", "customer", "name"]) }),
]);
export type Piece = z.output<typeof piece>;
const sentence = z.array(piece);

const row = z.object({
  /** Of the row in the log: numbers can be forged twice. */
  id: z.string(),
  n: z.number(),
  /** ISO */
  at: z.string(),
  actor: z.string(),
  address: z.string().nullable(),
  via: z.string(),
  look: z.enum(["change", "undo", "refused", "sign-in"]),
  /** The verdict that it brings; plain for all else. */
  tone: z.enum(["blocked", "safelisted", "plain"]),
  /** The room of what was done: "blocklist", "customer", … */
  about: z.string(),
  says: sentence,
  reason: z.string(),
  /** The number that nodes acknowledge. */
  change: z.number().nullable(),
  targets: z.number(),
  undoes: z.number().nullable(),
  /** Why whoever asks cannot undo it; null when they can, if nothing has changed since. */
  noUndo: z.string().nullable(),
});
export type AuditRow = z.output<typeof row>;

const damagedRow = z.object({
  id: z.string(),
  n: z.number(),
  look: z.literal("damaged"),
  damage: z.string(),
});
export type DamagedRow = z.output<typeof damagedRow>;

const page = z.object({
  rows: z.array(z.union([damagedRow, row])),
  next: z.string().nullable(),
  scanned: z.number(),
  /** The time that the search has come to, in ms. */
  reached: z.number().nullable(),
  /** What is undone: the record, and which one undid it. */
  undone: z.array(z.tuple([z.number(), z.number()])),
  /** The newest record there was. */
  newest: z.number(),
});
export type AuditPage = z.output<typeof page>;

const newer = z.object({ count: z.number(), isMore: z.boolean() });

const detail = z.object({
  n: z.number(),
  action: z.string(),
  changes: z.array(z.object({ target: z.string(), before: sentence, after: sentence })),
  /** What changed of the policy. */
  diff: z.array(z.string()).nullable(),
});
export type AuditDetail = z.output<typeof detail>;

/** What is looked for, as it stands in the address of the page. */
export interface AuditFilter {
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly via?: string;
  /** ISO */
  readonly from?: string;
  readonly to?: string;
  readonly text?: string;
}

/** The log, newest first, from the newest record or before one. */
export function auditPage(filter: AuditFilter, before?: string) {
  return query(
    ["audit", "page", filter, before ?? null],
    withParameters("/api/audit", { ...filter, before }),
    page,
  );
}

/** How much has come since a record. */
export function auditNewer(filter: AuditFilter, after: number) {
  return query(
    ["audit", "newer", filter, after],
    withParameters("/api/audit/newer", { ...filter, after }),
    newer,
  );
}

/** All that one record says. */
export function auditDetail(n: number) {
  return query(["audit", "record", n], `/api/audit/${n}`, detail);
}

export function auditExportPath(filter: AuditFilter, format: "csv" | "jsonl"): string {
  return withParameters("/api/audit/export", { ...filter, format });
}
