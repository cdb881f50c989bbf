import { createHash, randomBytes } from "node:crypto";
import { parseCustomerId } from "../../enforce/customers/id.ts";
import { readMembers, writeMembers } from "../../enforce/customers/stored-limits.ts";
import { DomainError } from "../../errors.ts";
import type { Connection } from "../../redis/connect.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { mostMembers, type SharedOverrideDefinition } from "./shared-override.ts";

/** The customers of a group from now on: exactly these, or those before with some more and without some. */
export interface MembersChange {
  readonly set?: readonly string[] | undefined;
  readonly add?: readonly string[] | undefined;
  readonly remove?: readonly string[] | undefined;
}

/** The ids of a group, in order. */
export async function membersOf(
  redis: Connection,
  { name, members }: Pick<SharedOverrideDefinition, "name" | "members">,
): Promise<CustomerId[]> {
  if (!members) return [];
  return readMembers((await redis.get(keys.groupMembers(name, members.digest))) ?? "");
}

const contentsOf = (digest: string) => digest.slice(0, 16);

/** Whether two digests are of the same ids. */
export function areSameMembers(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return contentsOf(one) === contentsOf(other);
}

export interface NewMembers {
  readonly facts: NonNullable<SharedOverrideDefinition["members"]>;
  readonly text: string;
}

/** Reads each id. Throws for the first that is none. */
export function readIds(ids: readonly string[]): CustomerId[] {
  return ids.map((text) => {
    const parsed = parseCustomerId(text);
    if (parsed.ok) return parsed.value;
    throw new DomainError("bad-input", `${parsed.reason}.`, { members: parsed.reason });
  });
}

/** Applies a change to the customers of a group. */
export function changeMembers(before: readonly CustomerId[], change: MembersChange): NewMembers {
  const gone = new Set(readIds(change.remove ?? []));
  const kept = (change.set ? readIds(change.set) : before).filter((id) => !gone.has(id));
  const ids = [...new Set([...kept, ...readIds(change.add ?? [])])].sort();
  if (ids.length > mostMembers) {
    const problem = `a group has at most ${mostMembers.toLocaleString("en-US")} customers, and these are ${ids.length.toLocaleString("en-US")}`;
    throw new DomainError("bad-input", `The group was not saved: ${problem}.`, { members: problem });
  }
  const [had, has] = [new Set(before), new Set(ids)];
  const text = writeMembers(ids);
  // No two changes share a key, so that an unused one can be given an end.
  const digest = contentsOf(createHash("sha1").update(text).digest("hex")) + randomBytes(8).toString("hex");
  const added = ids.filter((id) => !had.has(id)).length;
  const removed = before.filter((id) => !has.has(id)).length;
  return { text, facts: { digest, count: ids.length, added, removed } };
}
