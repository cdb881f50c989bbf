import type { Changes } from "./dictionary.ts";

/** Whoever is let in again comes first; of who is new, the worst. */
export function nextChanges(actual: ReadonlySet<string>, wished: ReadonlySet<string>, most: number): Changes {
  const remove: string[] = [];
  const add: string[] = [];
  for (const key of actual) if (!wished.has(key) && remove.length < most) remove.push(key);
  for (const key of wished) if (!actual.has(key) && remove.length + add.length < most) add.push(key);
  return { add, remove };
}

export function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && differences(a, b) === 0;
}

export function differences(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let found = 0;
  for (const key of a) if (!b.has(key)) found++;
  for (const key of b) if (!a.has(key)) found++;
  return found;
}
