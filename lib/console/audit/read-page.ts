import { z } from "zod";
import type { HistoryFilter } from "../../manage/audit/filter.ts";
import { readHistory } from "../../manage/audit/history.ts";
import { type AuditRecord, aboutOf } from "../../manage/audit/record.ts";
import { isDamaged, type LogRow } from "../../manage/audit/stored.ts";
import { newestNumber } from "../../manage/audit/walk.ts";
import { undoable } from "../../manage/undo/undoable.ts";
import { may, type Role, rolesThatMay } from "../../manage/users/roles.ts";
import { mostEnumerated } from "../../observe/records/pieces.ts";
import { sayAttempt, sayRecord } from "../../observe/records/record-words.ts";
import type { AuditPage } from "../../queries/audit.ts";
import type { Console } from "../console.ts";
import { read } from "../read.ts";

const text = z.string().max(200).optional();
const moment = z
  .string()
  .max(40)
  .refine((given) => !Number.isNaN(Date.parse(given)))
  .transform((given) => Date.parse(given))
  .optional();

/** What is looked for, as every read of the log takes it. */
export const filterFields = {
  actor: text,
  action: text,
  target: text,
  via: text,
  from: moment,
  to: moment,
  text,
};

const filterSearch = z.object(filterFields);

/** What was left empty is not looked for. */
export function filterOf(search: z.output<typeof filterSearch>): HistoryFilter {
  const { actor, action, target, via, from, to, text } = search;
  const wished = Object.entries({ actor, action, target, via, from, to, text });
  return Object.fromEntries(wished.filter(([, value]) => value !== undefined && value !== ""));
}

/** What tells of users is only for who may read of users. */
export function filterFor(role: Role, filter: HistoryFilter): HistoryFilter {
  return may(role, "users") ? filter : { ...filter, isWithoutUsers: true };
}

type Row = AuditPage["rows"][number];

/** A record as the page shows it to a user of that role. */
function rowOf(found: LogRow, role: Role, hits: readonly string[] = []): Row {
  if (isDamaged(found)) return { id: found.id, n: found.n, look: "damaged", damage: found.damage };
  const { n, at, actor, address = null, via, reason, change, changes, undoes, bulk } = found;
  return {
    ...{ id: `${n}-0`, n, at, actor, address, via, reason, change },
    look: lookOf(found),
    tone: toneOf(found),
    about:
      aboutOf(found)
        .replace(/^refused:/, "")
        .split(".", 1)[0] ?? "",
    says: [...(sayAttempt(found) ?? sayRecord(found))],
    hits: hitsOf(found, hits),
    targets: bulk?.state?.done ?? changes.length,
    bulk: bulk?.state ? { wanted: bulk.wanted, isFinished: bulk.state.isClosed } : null,
    undoes: undoes?.n ?? null,
    noUndo: whyNot(found, role),
  };
}

const mostHits = 3;

function hitsOf({ changes, bulk }: AuditRecord, hits: readonly string[]) {
  const isNamed = !bulk && changes.length <= mostEnumerated;
  if (hits.length === 0 || isNamed) return null;
  const first = hits.slice(0, mostHits);
  return { first, more: hits.length - first.length, isLeast: bulk !== undefined };
}

function whyNot(record: AuditRecord, role: Role): string | null {
  const ability = undoable(record);
  if (!ability.can) return ability.why;
  return may(role, ability.needs) ? null : `Only ${rolesThatMay(ability.needs)} can undo this.`;
}

function toneOf({ action, changes, bulk }: AuditRecord) {
  const isPut = bulk ? !action.endsWith(".remove") : changes.some(({ after }) => after !== null);
  if (!isPut) return "plain";
  if (action.startsWith("blocklist.")) return "blocked";
  return action.startsWith("safelist.") ? "safelisted" : "plain";
}

function lookOf({ action, undoes }: AuditRecord) {
  if (action.startsWith("refused:")) return "refused";
  if (undoes) return "undo";
  return action === "sign-in" ? "sign-in" : "change";
}

/** A page of the log as the browser reads it, for a user of that role. */
async function readPage(
  { redis, seal, role }: Pick<Console, "redis" | "seal"> & { readonly role: Role },
  filter: HistoryFilter,
  before?: string,
): Promise<AuditPage> {
  // First: what comes between both readings is then told as new, and not lost.
  const newest = await newestNumber(redis);
  const { records, hits, undone, ...reached } = await readHistory(redis, {
    filter: filterFor(role, filter),
    seal,
    ...(before && { before }),
  });
  return {
    rows: records.map((found) => rowOf(found, role, hits.get(found.n))),
    newest,
    undone: undone.map(([n, by, isPartly]) => [n, by, isPartly]),
    ...reached,
  };
}

const pageSearch = z.object({
  ...filterFields,
  before: z
    .string()
    .regex(/^\d{1,20}-\d{1,20}$/)
    .optional(),
});

export const getAuditPage = read("read", pageSearch, ({ console, who: { role }, search }) =>
  readPage({ ...console, role }, filterOf(search), search.before),
);

const newerSearch = z.object({ ...filterFields, after: z.coerce.number().int().min(0) });
const mostCounted = 99;

export const getNewerRecords = read("read", newerSearch, async ({ console: { redis }, who, search }) => {
  const { records, next } = await readHistory(redis, {
    ...{ after: search.after, filter: filterFor(who.role, filterOf(search)) },
    ...{ limit: mostCounted, mostScanned: 1_000 },
  });
  return { count: records.length, isMore: next !== null };
});
