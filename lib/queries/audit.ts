import * as z from "zod/mini";
import type { ChainVerification } from "../manage/audit/chain.ts";
import type { PhrasePart } from "../observe/records/pieces.ts";
import { query, ReadError, withParameters } from "./query.ts";

const piece = z.union([
  z.string(),
  z.object({ text: z.string(), is: z.enum(["address", "customer", "name"]) }),
]) satisfies z.ZodMiniType<PhrasePart>;

export type { PhrasePart };

const sentence = z.array(piece);

const row = z.object({
  /** The row's id in the log: a forged log may have a number twice. */
  id: z.string(),
  n: z.number(),
  /** ISO */
  at: z.string(),
  actor: z.string(),
  address: z.nullable(z.string()),
  via: z.string(),
  look: z.enum(["change", "undo", "refused", "sign-in"]),
  /** The verdict that follows from it; plain for other changes. */
  tone: z.enum(["blocked", "safelisted", "plain"]),
  /** The first part of the action: "blocklist", "customer", … */
  about: z.string(),
  /** What the actor did; of a refused attempt, what it would have been. */
  says: sentence,
  /** Entries that the search found, where the sentence does not name them: the first ones, and how many more. */
  hits: z.nullable(z.object({ first: z.array(z.string()), more: z.number(), isLeast: z.boolean() })),
  reason: z.string(),
  /** The number that nodes acknowledge. */
  change: z.nullable(z.number()),
  targets: z.number(),
  /** For a record with more entries than one step can change: the number asked for, and whether all were processed. */
  bulk: z.nullable(z.object({ wanted: z.number(), isFinished: z.boolean() })),
  undoes: z.nullable(z.number()),
  /** Why the signed-in user cannot undo it; null when they can, if nothing has changed since. */
  noUndo: z.nullable(z.string()),
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
  next: z.nullable(z.string()),
  scanned: z.number(),
  /** The time of the oldest record searched, in ms. */
  reached: z.nullable(z.number()),
  /** Undone records: the record, the record that undid it, and whether a part is left. */
  undone: z.array(z.tuple([z.number(), z.number(), z.boolean()])),
  /** Number of the newest record. */
  newest: z.number(),
});
export type AuditPage = z.output<typeof page>;

const newer = z.object({ count: z.number(), isMore: z.boolean() });

const detail = z.object({
  n: z.number(),
  action: z.string(),
  changes: z.array(z.object({ target: z.string(), before: sentence, after: sentence })),
  /** Its entries can be undone one by one. */
  isOfEntries: z.boolean(),
  /** The part with the next entries; null at the end. */
  next: z.nullable(z.number()),
  /** The changes of the policy, a sentence each. */
  diff: z.nullable(z.array(z.string())),
});
export type AuditDetail = z.output<typeof detail>;

/** A filter, as the page's URL has it. */
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

/** The log, newest first, from the newest record or from before one. */
export function auditPage(filter: AuditFilter, before?: string) {
  return query(
    ["audit", "page", filter, before ?? null],
    withParameters("/api/audit", { ...filter, before }),
    page,
  );
}

/** The key of the pages that were read one after the other. The filter may count from now, so each round reads again. */
export const feedKey = (search: string, round = 0) => ["audit", "feed", search, round] as const;

/** The number of records since one. */
export function auditNewer(filter: AuditFilter, after: number) {
  return query(
    ["audit", "newer", filter, after],
    withParameters("/api/audit/newer", { ...filter, after }),
    newer,
  );
}

/** One record; of a record with very many entries a part, or those that overlap an address. */
export function auditDetail(n: number, { part, target }: { part?: number; target?: string } = {}) {
  return query(
    ["audit", "record", n, part ?? 0, target ?? ""],
    withParameters(`/api/audit/${n}`, { part: part === undefined ? undefined : String(part), target }),
    detail,
  );
}

export function auditExportPath(filter: AuditFilter, format: "csv" | "jsonl"): string {
  return withParameters("/api/audit/export", { ...filter, format });
}

const progress = z.object({ checked: z.number(), of: z.number(), faults: z.number() });
export type ChainProgress = z.output<typeof progress>;
const report = z.object({
  records: z.number(),
  problems: z.array(z.string()),
  problemCount: z.number(),
}) satisfies z.ZodMiniType<ChainVerification>;
const line = z.union([progress, report, z.object({ error: z.string() })]);

export type { ChainVerification };

/** Checks the whole log, which may take a while. `onProgress` is called during the check. */
export async function checkChain(
  onProgress: (progress: ChainProgress) => void,
  signal: AbortSignal,
): Promise<ChainVerification> {
  const response = await fetch("/api/audit/chain", { cache: "no-store", signal });
  if (!response.ok || !response.body) throw new ReadError(response.status, "The log cannot be checked now.");
  for await (const line of linesOf(response.body)) {
    if ("error" in line) throw new ReadError(0, line.error);
    if ("records" in line) return line;
    onProgress(line);
  }
  throw new ReadError(0, "The check ended before it was done. Try again.");
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<z.output<typeof line>> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) yield line.parse(JSON.parse(text));
  }
}
