import { DomainError } from "../errors.ts";
import { bare, isForbidden, isLost } from "../redis/error-kinds.ts";
import { UsageError } from "./command.ts";

/** Exit codes of the command. `--help` lists them. */
export const exitCode = { done: 0, refused: 1, wrongUsage: 2, unreachable: 3 } as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

export const exitCodeHelp: readonly (readonly [ExitCode, string])[] = [
  [exitCode.done, "done"],
  [exitCode.refused, "refused (bad input, lockout protection, a missing setting), or doctor found a problem"],
  [exitCode.wrongUsage, "the command line cannot be read"],
  [exitCode.unreachable, "Redis, or the console of SLUICE_URL, is not reachable"],
];

/** Error of a command, as `--json` prints it. */
export interface CommandFailure {
  readonly code: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Error replies of a Redis that does not accept commands, or not this one now. */
const notNow =
  /^(LOADING|MASTERDOWN|READONLY|OOM|MISCONF|CLUSTERDOWN|NOREPLICAS|BUSY|NOAUTH|WRONGPASS|UNKILLABLE|TRYAGAIN)\b/;

export function failureOf(error: unknown): { failure: CommandFailure; exit: ExitCode } {
  if (error instanceof UsageError) return failureWith("bad-usage", error.message, exitCode.wrongUsage);
  if (error instanceof DomainError) {
    const { code, message, fields } = error;
    return {
      failure: { code, message, fields },
      exit: code === "redis-unavailable" ? exitCode.unreachable : exitCode.refused,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (isForbidden(error)) {
    return failureWith("not-allowed", `The Redis user may not do this: ${bare(message)}.`, exitCode.refused);
  }
  if (notNow.test(message))
    return failureWith("redis-unavailable", `Redis refuses: ${message}`, exitCode.unreachable);
  if (isLost(error)) {
    const unsure =
      "Redis stopped answering. A change may have been written: check before you repeat the command.";
    return failureWith("redis-unavailable", unsure, exitCode.unreachable);
  }
  return failureWith("unexpected", `Unexpected error: ${message}`, exitCode.refused);
}

function failureWith(code: string, message: string, exit: ExitCode) {
  return { failure: { code, message, fields: {} }, exit };
}

/** Result of a removal whose target is absent, which succeeds without a change. Other errors are thrown again. */
export function orAbsent(error: unknown): { change: null } {
  if (error instanceof DomainError && error.code === "not-found") return { change: null };
  throw error;
}
