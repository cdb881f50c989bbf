export { DomainError, type ErrorCode } from "../../errors.ts";
export type { ExplainedStep as Step, Explanation } from "./explain.ts";
export { createGuard, type Guard, type GuardOptions } from "./guard.ts";
export type { GuardRequest } from "./request.ts";
export type { GuardStatus } from "./status.ts";
export type { Outcome, Trouble, Verdict } from "./verdict.ts";
