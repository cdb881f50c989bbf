import { DomainError } from "../../errors.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import { keys, type ListName } from "../../redis/keys.ts";
import type { Holding } from "../../redis/snapshot.ts";
import { typeProblem } from "../audit/checks.ts";
import type { RefusedEntry } from "./admission.ts";
import { type ChangeResult, changeEntries, type EntryDecision, type ListContext } from "./change-entries.ts";
import { areSameTags, changedTags, type TagChange, tagsOf, tagsProblem, withTags } from "./tags.ts";

export interface TagInput {
  readonly list: ListName;
  readonly addresses: readonly (Ip | Cidr)[];
  readonly tags: TagChange;
  readonly reason: string;
}

export type TagOutcome =
  | { readonly address: Ip | Cidr; readonly outcome: "tagged"; readonly tags: readonly string[] }
  | { readonly address: Ip | Cidr; readonly outcome: "unchanged"; readonly message: string }
  | { readonly address: Ip | Cidr; readonly outcome: "absent" }
  | RefusedEntry;

/** Changes the tags of entries. Their reasons, authors and expiry stay. */
export async function tagEntries(
  ctx: ListContext,
  { list, addresses, tags, reason }: TagInput,
): Promise<ChangeResult<TagOutcome>> {
  if ("add" in tags && tags.add.length + (tags.remove?.length ?? 0) === 0)
    throw new DomainError("bad-input", "Give a tag to add or to remove.", { tags: "are missing" });
  return changeEntries<TagOutcome>(ctx, {
    ...{ verb: "tag", list, addresses, reason },
    decide(address, found) {
      if (found.kind === "none") return { outcome: { address, outcome: "absent" } };
      const wrongType = typeProblem(keys.entry(list, address), found, "string", "an entry");
      if (wrongType !== undefined) return refused(address, wrongType);
      return retagged(address, found, changedTags(tagsOf(found.value), tags));
    },
  });
}

/** The same entry with these tags. */
export function retagged(
  address: Ip | Cidr,
  found: Holding,
  tags: readonly string[],
): EntryDecision<Exclude<TagOutcome, { outcome: "absent" }>> {
  if (areSameTags(tagsOf(found.value), tags)) {
    const message = `The tags of ${address} are as wanted already.`;
    return { outcome: { address, outcome: "unchanged", message } };
  }
  const problem = tagsProblem(tags);
  if (problem !== undefined) return refused(address, `${problem} for ${address}.`);
  const value = withTags(found.value, tags);
  if (value === undefined) return refused(address, `The value of ${address} in Redis is too long for tags.`);
  // A foreign writer may have set an end later than a Date can hold.
  const expiresAt = found.expiresAt === null ? null : Math.min(found.expiresAt, 8.64e15);
  return { outcome: { address, outcome: "tagged", tags }, to: { value, expiresAt } };
}

function refused(address: Ip | Cidr, message: string): { outcome: RefusedEntry } {
  return { outcome: { address, outcome: "refused", code: "bad-input", message } };
}
