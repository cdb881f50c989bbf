import { z } from "zod";
import { DomainError } from "../../errors.ts";
import { isOfUsers, matcherOf } from "../../manage/audit/filter.ts";
import { isBulk, walkParts } from "../../manage/audit/parts.ts";
import { type AuditRecord, aboutOf, type RecordedChange } from "../../manage/audit/record.ts";
import { readSealed } from "../../manage/undo/record-to-undo.ts";
import { kindOf } from "../../manage/undo/undoable.ts";
import { policyDiff } from "../../observe/records/policy-diff.ts";
import { saySides } from "../../observe/records/sides.ts";
import type { AuditDetail } from "../../queries/audit.ts";
import type { Console } from "../console.ts";
import { read, requireRole } from "../read.ts";

/** How many entries are shown at once, and how many characters of parts one call reads. */
const mostShown = 500;
const mostRead = 16_000_000;

const search = z.object({
  /** Begin with this part. */
  part: z.coerce.number().int().min(1).optional(),
  /** Only what touches this address. */
  target: z.string().min(1).max(200).optional(),
});

/** Entries of a record, from its parts if it has parts, and the part to go on with. */
async function entriesOf(
  { redis, seal }: Pick<Console, "redis" | "seal">,
  record: AuditRecord,
  { part = 1, target }: z.output<typeof search>,
): Promise<{ changes: readonly RecordedChange[]; next: number | null }> {
  const matches = matcherOf(target === undefined ? {} : { target });
  const isWanted = (change: RecordedChange) =>
    target === undefined || matches.entries({ ...record, changes: [] }, [change]);
  if (!isBulk(record)) return { changes: record.changes.filter(isWanted), next: null };
  const changes: RecordedChange[] = [];
  let size = 0;
  for await (const found of walkParts(redis, record, { seal, beyond: part - 1 || undefined })) {
    if (changes.length >= mostShown || size >= mostRead) return { changes, next: found.n };
    changes.push(...found.changes.filter(isWanted));
    size += found.size;
  }
  return { changes, next: null };
}

export const getAuditDetail = read<typeof search, { n: string }>(
  "read",
  search,
  async ({ console, who, params, search }): Promise<AuditDetail> => {
    if (!/^[1-9]\d{0,14}$/.test(params.n)) throw new DomainError("bad-input", "This is not a record number.");
    const record = await readSealed(console, Number(params.n));
    if (isOfUsers(record)) requireRole(who, "users");
    const { changes, next } = await entriesOf(console, record, search);
    const sides = changes.map((change) => {
      const { target, before, after } = saySides(record, change);
      return { target, before: [...before], after: [...after] };
    });
    const diff = await policyDiff(console.redis, record);
    const action = aboutOf(record);
    const isOfEntries = ["blocklist", "safelist"].includes(kindOf(action) ?? "");
    return { n: record.n, action, changes: sides, isOfEntries, next, diff: diff ? [...diff] : null };
  },
);
