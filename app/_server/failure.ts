import { DomainError, type ErrorCode } from "../../lib/errors.ts";
import { isLost } from "../../lib/redis/trouble.ts";

/** What a browser is told of a refusal. */
export interface Failure {
  readonly code: ErrorCode | "signed-out" | "failed";
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

const refused = "Redis takes no changes now. Nothing was changed; try again when it does.";
const away =
  "Redis does not answer. Whether this was done is not known: look when it is back, then try again.";
const unknown = "That did not work, and the console's log says why. Nothing more is known here.";

/** The one place where an error becomes words. What it does not know is logged, and told as one plain sentence. */
export function failureOf(error: unknown): Failure {
  if (error instanceof DomainError) {
    const { code, message, fields } = error;
    return { code, message, fields };
  }
  if (isRefusal(error)) return { code: "redis-unavailable", message: refused, fields: {} };
  if (isLost(error)) return { code: "redis-unavailable", message: away, fields: {} };
  console.error("sluice: a request of the console failed", error);
  return { code: "failed", message: unknown, fields: {} };
}

export const statusOf: Readonly<Record<Failure["code"], number>> = {
  "bad-input": 400,
  "locks-the-house": 409,
  "needs-confirmation": 409,
  "not-allowed": 403,
  "not-found": 404,
  "changed-meanwhile": 409,
  "not-configured": 503,
  "redis-unavailable": 503,
  "signed-out": 401,
  failed: 500,
};

/** Redis runs and says no, so it has done nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && refusal.test(error.message);
}

const refusal = /^(LOADING|READONLY|OOM|MISCONF|MASTERDOWN|CLUSTERDOWN|NOREPLICAS)\b/;
