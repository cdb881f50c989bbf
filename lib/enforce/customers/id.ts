import type { Parsed } from "../../ip/parse.ts";
import type { CustomerId } from "../../redis/keys.ts";

const longest = 64;

/** Reads what a person typed as a customer's id. */
export function parseCustomerId(text: string): Parsed<CustomerId> {
  const trimmed = text.trim();
  if (isCustomerId(trimmed)) return { ok: true, value: trimmed };
  if (trimmed === "") return { ok: false, reason: "A customer id is missing" };
  const shown = trimmed.replace(/[^ -~]/g, "\ufffd").slice(0, 50);
  const why =
    trimmed.length > longest
      ? `it has at most ${longest} characters`
      : "it has letters, digits and _ . @ - only";
  return { ok: false, reason: `"${shown}" is not a customer id: ${why}` };
}

/** Whether the text is an id as in keys. For the hot path. */
export function isCustomerId(text: string): text is CustomerId {
  if (text.length === 0 || text.length > longest) return false;
  for (let i = 0; i < text.length; i++) if (!isIdCode(text.charCodeAt(i))) return false;
  return true;
}

/** A-Z a-z 0-9 _ . @ - */
function isIdCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 57) ||
    (code >= 64 && code <= 90) ||
    code === 95 ||
    code === 45 ||
    code === 46
  );
}

/** Most stars of a pattern. */
const mostStars = 2;

/** Why a text is no pattern of customer ids. Undefined for a pattern. */
export function patternProblem(text: string): string | undefined {
  const stars = text.split("*").length - 1;
  const literal = text.replaceAll("*", "");
  if (stars === 0) return "a pattern has a *, which is any text";
  if (stars > mostStars || text.includes("**")) return "a pattern has one * or two, with text between them";
  if (literal === "") return "write more than the *. All customers have the default tier of the policy";
  return isCustomerId(literal) && text.length <= 64
    ? undefined
    : "besides *, a pattern has letters, digits and _ . @ -, at most 64 characters";
}

const groupNames = /^[a-z0-9][a-z0-9_-]{0,39}$/;

/** Why a text is no name of a group. Undefined for a name. */
export function groupProblem(text: string): string | undefined {
  return groupNames.test(text)
    ? undefined
    : "a group is named with small letters, digits, _ and -, at most 40 characters";
}

/** The name of a pattern has a star, that of a group none. */
export const isPattern = (name: string): boolean => name.includes("*");

/** Whether a customer's id matches a pattern. Capital and small letters differ, as in ids. */
export function patternMatcher(pattern: string): (id: string) => boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop() ?? "";
  const [middle = ""] = rest;
  const fixed = first.length + middle.length + last.length;
  return (id) =>
    id.length >= fixed &&
    id.startsWith(first) &&
    id.endsWith(last) &&
    (middle === "" || id.slice(first.length, id.length - last.length).includes(middle));
}

/** The order in which groups and patterns win: groups by name, then patterns, of which those with more literal text come first. */
export function inOrderOfWinning(one: string, other: string): number {
  const byKind = Number(isPattern(one)) - Number(isPattern(other));
  const byExactness = isPattern(one) ? exactness(other) - exactness(one) : 0;
  return byKind || byExactness || (one < other ? -1 : 1);
}

const exactness = (pattern: string): number => pattern.replaceAll("*", "").length;
