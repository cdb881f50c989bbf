import type { Limit } from "../../enforce/guard/limit.ts";
import type { RefusedTokens } from "../../manage/tokens/refused-tokens.ts";
import { type ApiToken, findToken } from "../../manage/tokens/token.ts";
import type { TokenUses } from "../../manage/tokens/token-uses.ts";
import type { Console } from "../console.ts";
import type { RequestOrigin } from "../session/session.ts";
import { ApiRefusal } from "./problem.ts";

/** What requests with a token are admitted by. */
export interface AdmissionParts {
  readonly console: Console;
  readonly refused: RefusedTokens;
  readonly uses: TokenUses;
}

/** The token of a secret. @param howToSend for a request without one */
export async function authenticate(
  { console: { redis }, refused, uses }: AdmissionParts,
  secret: string | undefined,
  origin: RequestOrigin,
  howToSend: string,
): Promise<ApiToken> {
  if (secret === undefined)
    throw unauthorized(`Send an API token: ${howToSend}. An admin creates tokens on the API page.`);
  const found = await findToken(redis, secret);
  if (found && !found.isExpired) {
    // A use that cannot be noted is no reason to refuse it.
    uses.note(redis, found.token.id, origin.address)?.catch(() => {});
    return found.token;
  }
  const waitMs = await refused.note({ ...origin, token: found?.token });
  if (waitMs > 0)
    throw tooMany("Too many requests with a token that is not valid.", Math.ceil(waitMs / 1_000));
  const why = found ? `expired at ${found.token.until}` : "is unknown, or was revoked";
  throw unauthorized(`The API token ${why}. An admin creates another one on Settings.`);
}

/** Counts the request of a token, and returns the headers that say what is left. */
export async function countRequest(limit: Limit, token: ApiToken): Promise<Readonly<Record<string, string>>> {
  const { outcome, headers } = await limit.check(token.name);
  if (outcome !== "throttled") return headers;
  const seconds = Number(headers["retry-after"] ?? 1);
  throw tooMany(`The token ${token.name} has sent too many requests.`, seconds, headers);
}

function unauthorized(detail: string): ApiRefusal {
  return new ApiRefusal({
    ...{ status: 401, code: "signed-out", detail },
    headers: { "www-authenticate": 'Bearer realm="sluice"' },
  });
}

function tooMany(says: string, seconds: number, headers: Readonly<Record<string, string>> = {}): ApiRefusal {
  return new ApiRefusal({
    ...{ status: 429, code: "too-busy", detail: `${says} Try again in ${seconds} s.` },
    headers: { ...headers, "retry-after": String(seconds) },
  });
}
