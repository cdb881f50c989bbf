import type { Changes } from "./dictionary.ts";

/** Removals come first, then the worst of the new keys. */
export function nextChanges(actual: ReadonlySet<string>, wanted: ReadonlySet<string>, most: number): Changes {
  const remove: string[] = [];
  const add: string[] = [];
  for (const key of actual) if (!wanted.has(key) && remove.length < most) remove.push(key);
  for (const key of wanted) if (!actual.has(key) && remove.length + add.length < most) add.push(key);
  return { add, remove };
}

export function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && differences(a, b) === 0;
}

export function differences(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const key of a) if (!b.has(key)) count++;
  for (const key of b) if (!a.has(key)) count++;
  return count;
}
