import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { keys } from "../../redis/keys.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { scopesProblem, type TokenScope, tokenAppProblem, tokenNameProblem } from "./scopes.ts";
import { type ApiToken, idOf, mostTokens, newSecret, startOf, tokensIn, writeToken } from "./token.ts";

export interface TokenInput {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly app?: string | undefined;
  /** Null never expires. */
  readonly expiresInMs: number | null;
}

/** A new token: the only time that its secret is shown. */
export interface NewToken {
  readonly secret: string;
  readonly token: ApiToken;
}

export const usualLifeMs = 90 * 86_400_000;
const shortestMs = 60_000;
const longestMs = 3_653 * 86_400_000;

/** Makes a token. Names are unique, because the audit log names the actor by them. */
export async function createToken(ctx: Signed, input: TokenInput): Promise<NewToken> {
  const { name, app, expiresInMs } = input;
  const scopes = [...new Set(input.scopes)];
  refuse("name", tokenNameProblem(name));
  refuse("app", app === undefined ? undefined : tokenAppProblem(app));
  refuse("scopes", scopesProblem(scopes, app));
  refuse("expiresInMs", lifeProblem(expiresInMs));
  const secret = newSecret();
  const id = idOf(secret);
  const { decision } = await commit(ctx, {
    ...{ action: "token.create", reason: "" },
    slots: [{ key: keys.tokens(), field: id, target: name }],
    hashes: [keys.tokens()],
    decide({ now, hashes }) {
      requireRoom(tokensIn(at(hashes, 0)), name);
      const until = expiresInMs === null ? null : new Date(now + expiresInMs).toISOString();
      const token: ApiToken = {
        ...{ id, name, scopes, ...(app !== undefined && { app }), until },
        ...{ by: ctx.actor.name, at: new Date(now).toISOString(), start: startOf(secret) },
      };
      return { token, writes: [{ slot: 0, to: { value: writeToken(token), expiresAt: null } }] };
    },
  });
  return { secret, token: decision.token };
}

function lifeProblem(ms: number | null): string | undefined {
  if (ms === null || (Number.isSafeInteger(ms) && ms >= shortestMs && ms <= longestMs)) return undefined;
  return "Write how long the token lasts: 1 min to 10 years, or never expires";
}

function requireRoom(tokens: readonly ApiToken[], name: string): void {
  const isTaken = tokens.some((token) => token.name.toLowerCase() === name.toLowerCase());
  refuse("name", isTaken ? `There is a token named ${name} already. Revoke it first` : undefined);
  refuse(
    "name",
    tokens.length >= mostTokens ? `There are ${mostTokens} tokens. Revoke one first` : undefined,
  );
}

function refuse(field: string, problem: string | undefined): void {
  if (problem !== undefined) throw new DomainError("bad-input", `${problem}.`, { [field]: problem });
}
