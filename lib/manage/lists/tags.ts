import { mostTags, parseObject, readNote, tagForm } from "../../enforce/lists/entry.ts";
import type { Parsed } from "../../ip/parse.ts";

/** What becomes of an entry's tags. */
export type TagChange =
  | { readonly add: readonly string[]; readonly remove?: readonly string[] | undefined }
  /** Replaces all. */
  | { readonly set: readonly string[] };

/** Reads tags as people write them: in any case, with spaces, commas or semicolons between. */
export function parseTags(text: string): Parsed<readonly string[]> {
  return checkedTags(text.split(/[\s,;]/).filter((word) => word !== ""));
}

/** The same for words that are apart already. */
export function checkedTags(words: readonly string[]): Parsed<readonly string[]> {
  const tags = inOrder(words.map((word) => word.toLowerCase()));
  const bad = tags.find((tag) => !tagForm.test(tag));
  if (bad !== undefined) {
    const rule = "use letters, digits and - . _ : (the first a letter or digit), at most 32 characters";
    return { ok: false, reason: `"${bad.slice(0, 50)}" is not a tag: ${rule}` };
  }
  return tags.length > mostTags ? { ok: false, reason: tooMany(tags) } : { ok: true, value: tags };
}

/** Why an entry cannot have these tags. */
export function tagsProblem(tags: readonly string[]): string | undefined {
  return tags.length > mostTags ? tooMany(tags) : undefined;
}

function tooMany(tags: readonly string[]): string {
  return `An entry has at most ${mostTags} tags, here are ${tags.length}`;
}

/** The tags of a value, after a change. Without one they stay. */
export function changedTags(before: readonly string[], change: TagChange | undefined): readonly string[] {
  if (change === undefined) return before;
  if ("set" in change) return inOrder(change.set);
  const { add, remove = [] } = change;
  return inOrder([...before, ...add].filter((tag) => !remove.includes(tag)));
}

export function areSameTags(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((tag) => other.includes(tag));
}

export function tagsOf(value: string): readonly string[] {
  return readNote(value).tags ?? [];
}

/** Redis' values are read up to this length: what is longer cannot be written back. */
const longestRead = 4_096;

/**
 * The same value with other tags. What another program wrote into it stays; its plain text becomes the reason.
 * Undefined for a value that is too long to be known wholly.
 */
export function withTags(value: string, tags: readonly string[]): string | undefined {
  if (new TextEncoder().encode(value).length >= longestRead) return undefined;
  const members = parseObject(value);
  const { tags: _, ...others } = typeof members?.reason === "string" ? members : { reason: value };
  return JSON.stringify({ ...others, ...(tags.length > 0 && { tags }) });
}

function inOrder(tags: readonly string[]): readonly string[] {
  return [...new Set(tags)].sort();
}
