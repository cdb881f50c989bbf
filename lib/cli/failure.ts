import { DomainError } from "../errors.ts";
import { UsageError } from "./command.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";

/** What went wrong, as `--json` tells it. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Words by which Redis says that it does not take commands, or not this one now. */
const notNow =
  /^(LOADING|MASTERDOWN|READONLY|OOM|MISCONF|CLUSTERDOWN|NOREPLICAS|BUSY|NOAUTH|WRONGPASS|UNKILLABLE|TRYAGAIN)\b/;
const forbidden = /NOPERM|no permissions to|can't (run this command|access)|ERR unknown (sub)?command/i;
const lostConnection =
  /^(Connection is closed|Command timed out|Socket timeout|Stream isn't writeable)|ECONN|EPIPE|ETIMEDOUT/;

export function failureOf(error: unknown): { failure: Failure; exit: ExitCode } {
  if (error instanceof UsageError) return told("bad-usage", error.message, exitCode.wrongUsage);
  if (error instanceof DomainError) {
    const { code, message, fields } = error;
    return { failure: { code, message, fields }, exit: exitOf(code) };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (isForbidden(error)) {
    return told("not-allowed", `The Redis user may not do this: ${bare(message)}.`, exitCode.refused);
  }
  if (notNow.test(message))
    return told("redis-unavailable", `Redis refuses: ${message}`, exitCode.unreachable);
  if (isLost(error)) {
    const unsure =
      "Redis stopped answering. If something was to be changed, look whether it was before you repeat it.";
    return told("redis-unavailable", unsure, exitCode.unreachable);
  }
  return told("unexpected", `Something unexpected happened: ${message}`, exitCode.refused);
}

/** Redis runs, but this user may not, or the server has no such command. */
export function isForbidden(error: unknown): boolean {
  return messagesOf(error).some((message) => forbidden.test(message));
}

/** A transaction that was given up keeps what was wrong with its commands beside its own message. */
function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const previous =
    "previousErrors" in error && Array.isArray(error.previousErrors) ? error.previousErrors : [];
  return [error.message, ...previous.flatMap(messagesOf)];
}

/** A message of another program, to be put into a sentence of ours. */
export function bare(message: string): string {
  return message.trim().replace(/\.+$/, "");
}

export function isLost(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === "MaxRetriesPerRequestError" || lostConnection.test(error.message))
  );
}

export function exitOf(code: DomainError["code"]): ExitCode {
  return code === "redis-unavailable" ? exitCode.unreachable : exitCode.refused;
}

function told(code: string, message: string, exit: ExitCode) {
  return { failure: { code, message, fields: {} }, exit };
}
