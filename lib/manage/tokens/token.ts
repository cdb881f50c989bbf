import { createHash, randomBytes } from "node:crypto";
import { parseObject } from "../../parse-object.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { readTime } from "../../redis/redis-clock.ts";
import { isScope, type TokenScope } from "./scopes.ts";

/** A token of the API. Redis holds only the digest of its secret. */
export interface ApiToken {
  /** Digest of the secret, which the token is stored under. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** The one app that the token may see and change. Undefined for all. */
  readonly app?: string;
  readonly by: string;
  /** ISO */
  readonly at: string;
  /** ISO; null never expires. */
  readonly until: string | null;
  /** First characters of the secret, to tell which token a secret belongs to. */
  readonly start: string;
}

/** Most tokens at a time. */
export const mostTokens = 100;

const secretForm = /^slc_[A-Za-z0-9_-]{43}$/;
const startLength = 8;

/** 256 random bits. */
export const newSecret = (): string => `slc_${randomBytes(32).toString("base64url")}`;

export const startOf = (secret: string): string => secret.slice(0, startLength);

/** Whether a text has the form of a secret. Anything else is refused without a look-up. */
export const isSecret = (text: string): boolean => secretForm.test(text);

/** The secret has 256 random bits, so a fast digest is enough, and no look-up by digest reveals a part of it. */
export function idOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

export function writeToken({ name, scopes, app, by, at, until, start }: ApiToken): string {
  return JSON.stringify({ name, scopes, app, by, at, until, start });
}

/** Undefined for a text that is not a token. A scope of a later version is left out. */
export function readToken(id: string, text: string | null | undefined): ApiToken | undefined {
  const { name, scopes, app, by, at, until, start } = parseObject(text ?? "") ?? {};
  if (typeof name !== "string" || !Array.isArray(scopes)) return undefined;
  if (until !== null && (typeof until !== "string" || Number.isNaN(Date.parse(until)))) return undefined;
  if (app !== undefined && typeof app !== "string") return undefined;
  return {
    ...{ id, name, scopes: scopes.filter(isScope), until, ...(app !== undefined && { app }) },
    ...{ by: String(by ?? ""), at: String(at ?? ""), start: String(start ?? "") },
  };
}

/** All tokens that the hash holds, by name. */
export function tokensIn(hash: Iterable<readonly [string, string]>): ApiToken[] {
  const found = [...hash].flatMap(([id, text]) => readToken(id, text) ?? []);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function isExpired({ until }: Pick<ApiToken, "until">, now: number): boolean {
  return until !== null && Date.parse(until) <= now;
}

/** The token of a secret, and whether it has expired by Redis' clock. */
export async function findToken(
  redis: Connection,
  secret: string,
): Promise<{ readonly token: ApiToken; readonly isExpired: boolean } | undefined> {
  if (!isSecret(secret)) return undefined;
  const id = idOf(secret);
  const [text, time] = await Promise.all([redis.hget(keys.tokens(), id), redis.time()]);
  const token = readToken(id, text);
  return token && { token, isExpired: isExpired(token, readTime(time)) };
}
