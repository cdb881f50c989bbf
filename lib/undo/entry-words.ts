import { type AuditRecord, aboutOf, type RecordedChange } from "../audit/record.ts";
import { enumerated, mostNamed, type Sentence } from "./pieces.ts";
import { forHowLong, sayDuration } from "./time-words.ts";

/** What a record did to entries of a list. */
export function sayEntries(record: AuditRecord): Sentence {
  const [list = "", verb = ""] = aboutOf(record).split(".", 2);
  const { changes, undoes } = record;
  const targets = enumerated(
    changes.map(({ target }) => ({ text: target, is: "address" })),
    mostNamed,
  );
  if (changes.every(({ after }) => after === null))
    return ["took ", ...targets, ` off the ${list}${undoes ? " again" : ""}`];
  if (undoes && changes.every(({ before }) => before === null))
    return ["put ", ...targets, ` back on the ${list}`];
  if (undoes) return ["gave ", ...targets, ` back the end on the ${list} that was set before`];
  if (changes.every(({ before }) => before !== null)) return sayProlonged(list, targets, changes);
  return [`${begun(list, verb)} `, ...targets, ...lifeOf(record)];
}

function begun(list: string, verb: string): string {
  if (verb === "ban") return "banned";
  if (verb === "import") return `imported into the ${list}:`;
  if (verb === "restore") return `restored to the ${list}, as Redis had lost it:`;
  return list === "blocklist" ? "blocked" : "safelisted";
}

/** For how long, when that is the same for all. */
function lifeOf({ at, changes }: AuditRecord): Sentence {
  const lives = new Set(changes.map(({ after }) => (after ? forHowLong(after.expiresAt, at) : "")));
  const [life = ""] = lives;
  return lives.size === 1 && life !== "" ? [` ${life}`] : [];
}

function sayProlonged(list: string, targets: Sentence, changes: readonly RecordedChange[]): Sentence {
  const what = list === "blocklist" ? "the block of" : "the safelisting of";
  const more = new Set(changes.map(moreOf));
  const [by = 0] = more;
  if (more.size > 1 || Number.isNaN(by)) return [`changed the end of ${what} `, ...targets];
  if (by === Number.POSITIVE_INFINITY) return [`made ${what} `, ...targets, " last for good"];
  const verb = by < 0 ? "shortened" : "extended";
  return [`${verb} ${what} `, ...targets, Number.isFinite(by) ? ` by ${sayDuration(Math.abs(by))}` : ""];
}

/** By how much longer an entry lasts, in ms, to the second. */
function moreOf({ before, after }: RecordedChange): number {
  const [was, is] = [before?.expiresAt, after?.expiresAt].map((end) =>
    end === null ? Number.POSITIVE_INFINITY : Date.parse(end ?? ""),
  );
  const more = (is ?? Number.NaN) - (was ?? Number.NaN);
  return Number.isFinite(more) ? Math.round(more / 1_000) * 1_000 : more;
}
