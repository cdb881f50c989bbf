export { DomainError, type ErrorCode } from "../../errors.ts";
export type { LimitKind, LimitOptions } from "../policy/code-limits.ts";
export type { LimitLevel } from "../policy/customer-plan.ts";
export type { ExplainedStep as Step, Explanation } from "./explain.ts";
export { createGuard, type Guard, type GuardOptions } from "./guard.ts";
export type { CustomerUsage, Limit, LimitPeek, LimitUse, UsageRequest } from "./limit.ts";
export type { GuardRequest } from "./request.ts";
export type { GuardStatus } from "./status.ts";
export type { Outcome, Trouble, Verdict } from "./verdict.ts";
