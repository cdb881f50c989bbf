import { expect } from "vitest";
import { checkPolicy } from "../../enforce/policy/schema.ts";
import type { Imported } from "./imported.ts";

/** A file, and what is made of it: a line for each rule, and one for each note. */
export interface ImportCase {
  readonly source: string;
  readonly rules: readonly string[];
  readonly notes: readonly string[];
}

/** Everything that an importer said, in short. Each rule has to be valid, and in shadow. */
export function summaryOf({ rules, notes }: Imported): Omit<ImportCase, "source"> {
  expect(checkPolicy({ mode: "enforce", rules, tiers: {} })).toMatchObject({ ok: true });
  expect(rules.filter(({ mode }) => mode !== "shadow")).toEqual([]);
  for (const { instead } of notes) expect(instead).toMatch(/\.$|never$/);
  return {
    rules: rules.map(({ name, mode: _, algorithm, client, levels, ...others }) => {
      const level = levels === "tier" ? levels : levels.map((one) => Object.values(one).join("/")).join();
      const more = Object.keys(others).length > 0 ? ` ${JSON.stringify(others)}` : "";
      return `${name}: ${algorithm} ${level} ${JSON.stringify(client)}${more}`;
    }),
    notes: notes.map(({ line, says }) => `${line}: ${says}`),
  };
}
