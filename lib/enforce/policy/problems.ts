import type * as z from "zod/mini";
import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";

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
