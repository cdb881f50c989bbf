import { createHash, randomBytes } from "node:crypto";
import { parseObject } from "../../parse-object.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import type { Slot } from "../../redis/snapshot.ts";
import type { SlotWrite } from "../audit/commit.ts";
import { readUser, type User } from "./user.ts";

export type LinkKind = "invite" | "reset";

const day = 86_400_000;
const livesMs: Readonly<Record<LinkKind, number>> = { invite: 7 * day, reset: day };

/** A new link: the only time that its word is shown. */
export interface NewLink {
  readonly email: string;
  readonly word: string;
  /** ISO */
  readonly until: string;
}

/** A link as Redis holds it. */
export interface OneTimeLink {
  readonly email: string;
  readonly kind: LinkKind;
  /** The user's version when it was made: a later change makes it void. */
  readonly version: number;
}

export const newWord = (): string => randomBytes(24).toString("base64url");

export const linkPath = (word: string): `/welcome/${string}` => `/welcome/${word}`;

/** Redis holds only a digest, so a reader of Redis cannot use a link. */
export function linkSlot(word: string, email: string): Slot {
  return { key: keyOf(word), target: email, isAside: true };
}

export const linkEnd = (kind: LinkKind, now: number): number => now + livesMs[kind];

export function writeLink(link: OneTimeLink, now: number): NonNullable<SlotWrite["to"]> {
  return { value: JSON.stringify(link), expiresAt: linkEnd(link.kind, now) };
}

export function readLink(text: string | null): OneTimeLink | undefined {
  const { email, kind, version } = parseObject(text ?? "") ?? {};
  if (typeof email !== "string" || typeof version !== "number") return undefined;
  return kind === "invite" || kind === "reset" ? { email, kind, version } : undefined;
}

/** The user that a link belongs to now. Does not use the link up. */
export async function findLink(
  redis: Connection,
  word: string,
): Promise<(OneTimeLink & { readonly user: User }) | undefined> {
  const link = readLink(await redis.get(keyOf(word)));
  const user = link && readUser(await redis.hget(keys.users(), link.email));
  return user?.version === link?.version && link && user ? { ...link, user } : undefined;
}

function keyOf(word: string): string {
  return keys.link(createHash("sha256").update(word).digest("hex"));
}
