import { createHash, randomBytes } from "node:crypto";
import type { Write } from "../audit/commit.ts";
import type { Slot } from "../audit/snapshot.ts";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { readUser, type User } from "./user.ts";

export type LinkKind = "invite" | "reset";

const day = 86_400_000;
const livesMs: Readonly<Record<LinkKind, number>> = { invite: 7 * day, reset: day };

/** A link as it is handed out: the one time that anybody sees its word. */
export interface NewLink {
  readonly email: string;
  readonly word: string;
  /** ISO */
  readonly until: string;
}

/** What a link opens. */
export interface Link {
  readonly email: string;
  readonly kind: LinkKind;
  /** The user's version when it was made: a later change makes it void. */
  readonly version: number;
}

export const newWord = (): string => randomBytes(24).toString("base64url");

export const linkPath = (word: string): `/welcome/${string}` => `/welcome/${word}`;

/** Redis holds a digest alone, so whoever reads it can use no link. */
export function linkSlot(word: string, email: string): Slot {
  return { key: keyOf(word), target: email, isAside: true };
}

export const linkEnd = (kind: LinkKind, now: number): number => now + livesMs[kind];

export function writeLink(link: Link, now: number): NonNullable<Write["to"]> {
  return { value: JSON.stringify(link), expiresAt: linkEnd(link.kind, now) };
}

export function readLink(text: string | null | undefined): Link | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const { email, kind, version } = (JSON.parse(text) ?? {}) as Partial<Link>;
    if (typeof email !== "string" || typeof version !== "number") return undefined;
    return kind === "invite" || kind === "reset" ? { email, kind, version } : undefined;
  } catch {
    return undefined;
  }
}

/** Whom a link lets in now, without using it up. */
export async function findLink(
  redis: Connection,
  word: string,
): Promise<(Link & { readonly user: User }) | undefined> {
  const link = readLink(await redis.get(keyOf(word)));
  const user = link && readUser(await redis.hget(keys.users(), link.email));
  return user?.version === link?.version && link && user ? { ...link, user } : undefined;
}

function keyOf(word: string): string {
  return keys.link(createHash("sha256").update(word).digest("hex"));
}
