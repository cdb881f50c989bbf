import { DomainError, type ErrorCode, errorLineWithStack, PartlyDone } from "../errors.ts";
import { isLost, isWriteRefusal } from "../redis/error-kinds.ts";

/** A refusal as the browser reads it. */
export interface Failure {
  readonly code: ErrorCode | "signed-out" | "failed";
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
  /** What is known of the change that failed: nothing was written, or it may have been. */
  readonly effect: "none" | "unknown";
}

export const signedOut: Failure = {
  code: "signed-out",
  message: "Sign in again.",
  fields: {},
  effect: "none",
};

/** How far the request was: a read, a change that had not begun, or a change that may have been written. */
type Stage = "read" | "before" | "change";

const words = {
  read: {
    away: "Redis does not answer.",
    refused: "Redis refuses to answer now.",
    failed: "The console failed to answer. Its log has the cause.",
  },
  before: {
    away: "Redis did not answer. The change was not started. Retry when Redis is back.",
    refused: "Redis accepts no writes now. The change was not made. Retry when it does.",
    failed: "The console failed before the change was started. Its log has the cause.",
  },
  change: {
    away: "Redis stopped answering. It is unknown whether the change was written. Check when Redis is back, then retry.",
    refused: "Redis accepts no writes now. The change was not made. Retry when it does.",
    failed:
      "The console failed. It is unknown whether the change was written. The console's log has the cause.",
  },
} as const satisfies Record<Stage, Record<"away" | "refused" | "failed", string>>;

/** The one place where an error becomes words. An error without words of its own is logged. */
export function failureOf(error: unknown, stage: Stage = "change"): Failure {
  const effect = stage === "change" ? "unknown" : "none";
  if (error instanceof DomainError) {
    const { code, message, fields } = error;
    return { code, message, fields, effect: error instanceof PartlyDone ? "unknown" : "none" };
  }
  if (isWriteRefusal(error))
    return { code: "redis-unavailable", message: words[stage].refused, fields: {}, effect: "none" };
  if (isLost(error)) return { code: "redis-unavailable", message: words[stage].away, fields: {}, effect };
  console.error(`sluice: a request of the console failed: ${errorLineWithStack(error)}`);
  return { code: "failed", message: words[stage].failed, fields: {}, effect };
}

export const statusOf: Readonly<Record<Failure["code"], number>> = {
  "bad-input": 400,
  lockout: 409,
  "needs-confirmation": 409,
  "not-allowed": 403,
  "not-found": 404,
  "changed-since": 409,
  "not-configured": 503,
  "too-busy": 429,
  "redis-unavailable": 503,
  "signed-out": 401,
  failed: 500,
};

/** Whether a change that failed in this way may have been written. */
export function isEffectUnknown(error: unknown): boolean {
  return error instanceof DomainError ? error instanceof PartlyDone : !isWriteRefusal(error);
}
