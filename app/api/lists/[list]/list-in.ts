import { DomainError } from "../../../../lib/errors.ts";
import { type ListName, listNames } from "../../../../lib/redis/keys.ts";

export type Params = { list: string };

export function listIn({ list }: Params): ListName {
  const found = listNames.find((name) => name === list);
  if (found) return found;
  throw new DomainError("not-found", "There are two lists: the blocklist and the safelist.");
}
