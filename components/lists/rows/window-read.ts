import { entries } from "@/lib/queries/entries.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import type { ListUrl } from "../list-url.ts";

/** Rows of one read. */
export const windowSize = 100;

/** Read of the rows from `offset`. */
export function windowRead(list: ListName, { q, facet, sort, dir }: ListUrl, offset: number) {
  return entries({ list, q: q || undefined, facet, sort, dir, offset, limit: windowSize });
}
