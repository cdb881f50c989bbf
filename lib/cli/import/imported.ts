import type { PolicyInput } from "../../enforce/policy/schema.ts";

export type ImportedRule = PolicyInput["rules"][number];

/** Something of the file that a policy does not say, or says in another way. */
export interface ImportNote {
  readonly line: number;
  readonly says: string;
  /** What to write or do in its place. */
  readonly instead: string;
}

/** What was read from the configuration of another limiter. */
export interface Imported {
  readonly rules: readonly ImportedRule[];
  readonly notes: readonly ImportNote[];
}

/** Collects rules and notes in the order of the file. */
export class ImportDraft {
  readonly rules: ImportedRule[] = [];
  readonly notes: ImportNote[] = [];

  note(line: number, says: string, instead: string): void {
    if (!this.notes.some((one) => one.line === line && one.says === says))
      this.notes.push({ line, says, instead });
  }

  /** Adds a rule, in shadow. Its name is made unlike those before. */
  add(rule: ImportedRule): void {
    const names = this.rules.map(({ name }) => name);
    let name = rule.name;
    for (let i = 2; names.includes(name); i++) name = `${rule.name.slice(0, 60)}-${i}`;
    this.rules.push({ ...rule, name, mode: "shadow" });
  }

  done(): Imported {
    return { rules: this.rules, notes: [...this.notes].sort((a, b) => a.line - b.line) };
  }
}

/** A rule's name made of any text. */
export function ruleNameOf(text: string): string {
  const words = text
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(":", "/")
    .replace(/[^A-Za-z0-9_./-]+/g, "-");
  return (
    words
      .replace(/^[-/]{1,64}/, "")
      .slice(0, 64)
      .replace(/[-/]$/, "") || "rule"
  );
}

/** The name of a function that an app gives for a rule. */
export const codeNameOf = (rule: string) => rule.replaceAll("/", "-");

/** What an app writes so that a rule counts by code. */
export function sayCode(code: string, returns: string): string {
  return `The rule counts by { "code": "${code}" }: write createGuard({ clients: { "${code}": (request) => ${returns} } })`;
}
