export { DomainError, type ErrorCode } from "../errors.ts";
export type { Explanation, Step } from "./explain.ts";
export { createGuard, type Guard, type GuardOptions, type GuardRequest } from "./guard.ts";
export type { Outcome, Trouble, Verdict } from "./verdict.ts";
