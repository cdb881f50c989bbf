import type { ListName } from "../redis/keys.ts";

/** What stands for a list on the command line. */
export type ListWord = "block" | "safelist";

export const listNamed = { block: "blocklist", safelist: "safelist" } as const satisfies Record<
  ListWord,
  ListName
>;

/** A count and its noun: "1 entry", "2 entries". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
