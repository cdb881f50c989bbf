import * as z from "zod/mini";
import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";

/** What is wrong with a cost that an app gives; undefined for one that can be charged as it is. */
export function costProblem(cost: unknown): string | undefined {
  if (cost === undefined || (isWhole(cost) && cost >= 0 && cost <= largestLimit)) return undefined;
  const given = typeof cost === "number" ? String(cost) : typeof cost;
  return `cost is ${given}: it must be a whole number from 0 to ${counted(largestLimit)}`;
}

/**
 * What is charged for a cost that an app gives. A fraction is rounded up. More than any limit is more than any limit, and
 * denied. What is no amount at all costs what any request does: no client passes uncounted because of it.
 */
export function chargedCost(cost: unknown): number {
  if (typeof cost !== "number" || !(cost >= 0)) return 1;
  return Math.min(Math.ceil(cost), largestLimit + 1);
}

const isWhole = (cost: unknown): cost is number => Number.isInteger(cost);

/** Costs and limits are counted exactly, so they stay far below what a double can tell apart. */
export const largestLimit = 1e12;
export const longestPeriodSeconds = 31_622_400;
export const mostLevels = 8;
export const mostRules = 64;
export const mostTiers = 32;
export const mostRequestRules = 64;

export const modes = ["enforce", "shadow", "off"] as const;
export type Mode = (typeof modes)[number];

export function whole(least: number, most: number) {
  const error = `write a whole number from ${counted(least)} to ${counted(most)}`;
  return z.int({ error }).check(z.gte(least, { error }), z.lte(most, { error }));
}

export function decimal(least: number, most: number) {
  const error = `write a number from ${least} to ${counted(most)}`;
  return z.number({ error }).check(z.gte(least, { error }), z.lte(most, { error }));
}

export function oneOf<const T extends readonly string[]>(words: T) {
  return z.enum(words, { error: `write one of ${words.join(", ")}` });
}

export function text(pattern: RegExp, error: string) {
  return z.string({ error }).check(z.regex(pattern, { error }));
}

export function listOf<T extends z.ZodMiniType>(item: T, most: number, what: string) {
  return z
    .array(item, { error: `write a list of ${what}` })
    .check(
      z.minLength(1, { error: `name at least one of the ${what}, or leave the list out` }),
      z.maxLength(most, { error: `at most ${most} ${what} fit here` }),
    );
}

export const ruleName = text(
  /^[A-Za-z0-9_./-]{1,64}$/,
  "write a name of letters, digits and _ . / -, at most 64",
);

/** What a denied client reads. */
export const messageText = text(/^(?:[^\p{Cc}]|\n){1,500}$/u, "write at most 500 characters of plain text");

/** 10,000 reads better than 10000. */
export function counted(number: number): string {
  return number.toLocaleString("en-US");
}

export interface Problem {
  /** `rules[2].levels[0].limit`; the whole has a name, too. */
  readonly path: string;
  /** What to do about it, for a person. */
  readonly message: string;
}

/** What a schema found, one sentence a field. */
export function problemsOf({ issues }: z.core.$ZodError, whole: string): Problem[] {
  const problems = new Map<string, string>();
  for (const { path, message } of flatten(issues, [])) {
    const name = nameOf(path) || whole;
    if (!problems.has(name)) problems.set(name, message);
  }
  return [...problems].map(([path, message]) => ({ path, message }));
}

/** A refusal that names the first field, counts the others, and has a sentence beside each. */
export function refusal(what: string, problems: readonly Problem[]): DomainError {
  const fields = Object.fromEntries(problems.map(({ path, message }) => [path, message]));
  return new DomainError("bad-input", `${what}: ${sayProblems(problems)}.`, fields);
}

export function sayProblems(problems: readonly Problem[]): string {
  const { path, message } = at(problems, 0);
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  return `${path}: ${message}${more}`;
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];
interface FieldIssue {
  readonly path: Path;
  readonly message: string;
}

function flatten(issues: readonly Issue[], above: Path): FieldIssue[] {
  return issues.flatMap((issue) => {
    const path = [...above, ...issue.path];
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownField(path, key));
    if (issue.code === "invalid_key") return [{ path, message: issue.issues[0]?.message ?? issue.message }];
    if (issue.code !== "invalid_union") return [{ path, message: issue.message }];
    const meant = issue.errors.find((branch) => branch.some(isInside));
    return meant ? flatten(meant, path) : [{ path, message: issue.message }];
  });
}

/** The branch of a union that was meant is the one whose kind of value fits. */
function isInside(issue: Issue): boolean {
  return issue.path.length > 0 || !["invalid_type", "invalid_value", "invalid_union"].includes(issue.code);
}

function unknownField(path: Path, key: string): FieldIssue {
  return {
    path: [...path, key],
    message: "there is no such field here: check its spelling, or leave it out",
  };
}

function nameOf(path: Path): string {
  let name = "";
  for (const part of path)
    name += typeof part === "number" ? `[${part}]` : `${name === "" ? "" : "."}${String(part)}`;
  return shortened(name);
}

/** A field's name may be any text. */
function shortened(name: string): string {
  const printable = name.replace(/[^ -~]/g, "\ufffd");
  return printable.length > 120 ? `${printable.slice(0, 120)}…` : printable;
}
