import { type Ip, isCanonical } from "../../ip/parse.ts";
import { parseObject } from "../../parse-object.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { type ApiToken, tokensIn } from "./token.ts";

/** When a token was last used, and from where. */
export interface TokenUse {
  /** ISO */
  readonly at: string;
  readonly address: string | null;
}

/** A token as pages and the command line show it. */
export interface KnownToken extends Omit<ApiToken, "id"> {
  /** Null for a token that was never used. */
  readonly lastUse: TokenUse | null;
}

/** A use is written at most once in this time by a process, so "last used" is at most this old. */
const everyMs = 60_000;

/** All tokens, by name. */
export async function listTokens(redis: Connection): Promise<KnownToken[]> {
  const [tokens, uses] = await Promise.all([redis.hgetall(keys.tokens()), redis.hgetall(keys.tokenUses())]);
  return tokensIn(Object.entries(tokens)).map(({ id, ...token }) => ({
    ...token,
    lastUse: readUse(uses[id]),
  }));
}

function readUse(text: string | undefined): TokenUse | null {
  const { at, address } = parseObject(text ?? "") ?? {};
  if (typeof at !== "string") return null;
  return { at, address: typeof address === "string" && isCanonical(address) ? address : null };
}

/** Remembers when this process last wrote each token's use. */
export class TokenUses {
  readonly #writtenAt = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Notes a use. Undefined if one was written a short time ago. */
  note(redis: Connection, id: string, address: Ip | undefined): Promise<unknown> | undefined {
    const now = this.#now();
    const before = this.#writtenAt.get(id);
    if (before !== undefined && now - before < everyMs) return undefined;
    this.#writtenAt.set(id, now);
    const use = { at: new Date(now).toISOString(), ...(address && { address }) };
    return redis.hset(keys.tokenUses(), id, JSON.stringify(use));
  }
}
