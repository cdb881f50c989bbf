import {
  type AuditRecord,
  aboutOf,
  keepsEnd,
  type RecordedChange,
  type StoredValue,
} from "../../manage/audit/record.ts";
import { forHowLong, sayDuration } from "../../manage/audit/time-words.ts";
import { enumerated, mostNamed, type Phrase } from "./pieces.ts";

/** What a record did to entries of a list. */
export function sayEntries(record: AuditRecord): Phrase {
  const [list = "", verb = ""] = aboutOf(record).split(".", 2);
  const { changes, undoes } = record;
  if (record.bulk) return sayBulk(record, list, verb);
  const targets = enumerated(
    changes.map(({ target }) => ({ text: target, is: "address" })),
    mostNamed,
  );
  if (changes.every(({ after }) => after === null))
    return ["took ", ...targets, ` off the ${list}${undoes ? " again" : ""}`];
  if (undoes && changes.every(({ before }) => before === null))
    return ["put ", ...targets, ` back on the ${list}`];
  if (changes.every(keepsEnd))
    return [
      undoes ? "gave " : "changed the tags of ",
      ...targets,
      undoes ? ` back the tags on the ${list} that were set before` : ` on the ${list}`,
    ];
  if (undoes) return ["gave ", ...targets, ` back the end on the ${list} that was set before`];
  if (changes.every(({ before }) => before !== null)) return sayProlonged(list, targets, changes);
  return [`${begun(list, verb)} `, ...targets, ...lifeOf(record)];
}

/** "imported 120,430 entries into the blocklist", "imported into the blocklist: 1,500 of 120,430 entries so far" */
function sayBulk({ undoes, bulk }: AuditRecord, list: string, verb: string): Phrase {
  const what = undoes ? `put entries of the ${list} back as they were` : (bulkWords[verb] ?? changed)(list);
  if (!bulk?.state) return [`${what}: how many cannot be read`];
  const { done, isClosed, left } = bulk.state;
  const count = done.toLocaleString("en-US");
  const stay = left > 0 ? `, ${left.toLocaleString("en-US")} changed since stay` : "";
  if (isClosed) return [`${what}: ${count} ${done === 1 ? "entry" : "entries"}${stay}`];
  return [`${what}: ${count} of ${bulk.wanted.toLocaleString("en-US")} entries so far${stay}`];
}

const changed = (list: string) => `changed the ${list}`;

const bulkWords: Readonly<Record<string, (list: string) => string>> = {
  add: (list) => (list === "blocklist" ? "blocked" : "safelisted"),
  import: (list) => `imported into the ${list}`,
  extend: (list) => `extended entries of the ${list}`,
  tag: (list) => `changed tags of entries of the ${list}`,
  remove: (list) => `removed from the ${list}`,
  restore: (list) => `restored to the ${list}`,
};

function begun(list: string, verb: string): string {
  if (verb === "ban") return "banned";
  if (verb === "import") return `imported into the ${list}:`;
  if (verb === "restore") return `restored to the ${list}, as Redis had lost it:`;
  return list === "blocklist" ? "blocked" : "safelisted";
}

/** For how long, when that is the same for all. */
function lifeOf({ at, changes }: AuditRecord): Phrase {
  const lives = new Set(changes.map(({ after }) => (after ? forHowLong(after.expiresAt, at) : "")));
  const [life = ""] = lives;
  return lives.size === 1 && life !== "" ? [` ${life}`] : [];
}

function sayProlonged(list: string, targets: Phrase, changes: readonly RecordedChange[]): Phrase {
  const what = list === "blocklist" ? "the block of" : "the safelisting of";
  const more = new Set(changes.map(moreOf));
  const [by = 0] = more;
  if (more.size > 1 || Number.isNaN(by)) return [`changed the end of ${what} `, ...targets];
  if (by === Number.POSITIVE_INFINITY) return [`made ${what} `, ...targets, " permanent"];
  const verb = by < 0 ? "shortened" : "extended";
  return [`${verb} ${what} `, ...targets, Number.isFinite(by) ? ` by ${sayDuration(Math.abs(by))}` : ""];
}

/** By how much longer an entry lasts, in ms, to the second. */
function moreOf({ before, after }: RecordedChange): number {
  const more = endOf(after) - endOf(before);
  return Number.isFinite(more) ? Math.round(more / 1_000) * 1_000 : more;
}

/** In ms. NaN without an entry. */
function endOf(entry: StoredValue | null): number {
  if (entry === null) return Number.NaN;
  return entry.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(entry.expiresAt);
}
