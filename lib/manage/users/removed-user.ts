import { parseObject } from "../../parse-object.ts";
import { keys } from "../../redis/keys.ts";
import type { Slot } from "../../redis/snapshot.ts";
import { type Identity, isIdentity, isSameIdentity } from "./user.ts";

/** What is remembered of a removed user, so that single sign-on does not make the user again. An invitation ends it. */
interface RemovedUser {
  /** ISO */
  readonly at: string;
  readonly identity?: Identity | undefined;
}

export function removedSlot(email: string): Slot {
  return { key: keys.removedUsers(), field: email, target: email, isAside: true };
}

export function writeRemoved(removed: RemovedUser): string {
  return JSON.stringify(removed);
}

/** Whether this email was removed, or this account of the provider under another email. */
export function isRemoved(
  removed: ReadonlyMap<string, string> | undefined,
  { email, identity }: { readonly email: string; readonly identity: Identity },
): boolean {
  if (removed === undefined) return false;
  if (removed.has(email)) return true;
  return [...removed.values()].map(readIdentity).some((other) => other && isSameIdentity(other, identity));
}

function readIdentity(text: string): Identity | undefined {
  const { identity } = parseObject(text) ?? {};
  return isIdentity(identity) ? identity : undefined;
}
