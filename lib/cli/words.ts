import type { ListName } from "../redis/keys.ts";

/** What stands for a list on the command line. */
export type ListWord = "block" | "safelist";

export const listNamed = { block: "blocklist", safelist: "safelist" } as const satisfies Record<
  ListWord,
  ListName
>;

export { counted } from "../doctor/counted.ts";
