import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Write } from "../audit/commit.ts";
import type { RecordedChange, Standing } from "../audit/record.ts";
import type { Holding } from "../audit/snapshot.ts";

/** Redis tells what is left, not when it ends: the same end read twice differs by a moment. */
const sameMomentMs = 10;
/** The latest moment that a record can tell. */
const latest = 8.64e15;

export type Fate =
  /** Something else stands there than what the record left. */
  | { readonly is: "in the way" }
  /** It stands as it did before. */
  | { readonly is: "as before" }
  | { readonly is: "to do"; readonly to: Write["to"] };

/** What becomes of one place of a record that is undone. What has ended by itself meanwhile is simply gone. */
export function fateOf({ before, after }: RecordedChange, found: Holding, now: number): Fate {
  const [was, left] = [alive(before, now), alive(after, now)];
  if (isSame(found, was)) return { is: "as before" };
  if (!isSame(found, left)) return { is: "in the way" };
  return { is: "to do", to: was && { value: was.value ?? "", expiresAt: endOf(was) } };
}

function alive(standing: Standing | null, now: number): Standing | null {
  const end = standing && endOf(standing);
  return end !== null && end <= now ? null : standing;
}

function endOf({ expiresAt }: Standing): number | null {
  return expiresAt === null ? null : Date.parse(expiresAt);
}

function isSame(found: Holding, standing: Standing | null): boolean {
  if (standing === null || found.kind === "none") return standing === null && found.kind === "none";
  return isSameValue(found, standing) && isSameEnd(found.expiresAt, endOf(standing));
}

function isSameValue({ kind, value, digest }: Holding, standing: Standing): boolean {
  if (standing.value === null) return kind === standing.type;
  if (kind === "hash") return isDeepStrictEqual(fieldsOf(value), fieldsOf(standing.value));
  return kind === "string" && digest === createHash("sha1").update(standing.value).digest("hex");
}

function isSameEnd(found: number | null, told: number | null): boolean {
  if (found === null || told === null) return found === told;
  return Math.abs(Math.min(found, latest) - told) <= sameMomentMs;
}

/** A hash's text; what is none, or was cut, equals nothing but itself. */
export function fieldsOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
