import { DomainError } from "../errors.ts";
import { bare, isForbidden, isLost } from "../redis/trouble.ts";
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

export function exitOf(code: DomainError["code"]): ExitCode {
  return code === "redis-unavailable" ? exitCode.unreachable : exitCode.refused;
}

function told(code: string, message: string, exit: ExitCode) {
  return { failure: { code, message, fields: {} }, exit };
}
