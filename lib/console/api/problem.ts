import { STATUS_CODES } from "node:http";
import { type ApiProblem, problemType } from "../../api/problem.ts";
import { type Failure, statusOf } from "../failure.ts";

/** The answer to a request that was refused or failed. */
export interface ProblemAnswer {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly isUnknown?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Other refusals become an answer where they happen. */
export class ApiRefusal extends Error {
  override readonly name = "ApiRefusal";
  readonly answer: ProblemAnswer;

  constructor(answer: ProblemAnswer) {
    super(answer.detail);
    this.answer = answer;
  }
}

const retrySeconds = 5;

/** @param isVersioned If-Match named a version, so that a change in between makes it stale */
export function problemOf({ code, message, fields, effect }: Failure, isVersioned: boolean): ProblemAnswer {
  const status = code === "changed-since" && isVersioned ? 412 : statusOf[code];
  return {
    ...{ status, code, detail: message, fields, isUnknown: effect === "unknown" },
    ...([429, 503].includes(status) && { headers: { "retry-after": String(retrySeconds) } }),
  };
}

export function problemResponse(
  answer: ProblemAnswer,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { status, code, detail, fields = {}, isUnknown = false } = answer;
  const errors = Object.entries(fields).map(([field, detail]) => ({ field, detail }));
  const body: ApiProblem = {
    ...{ type: "about:blank", title: STATUS_CODES[status] ?? "Error", status, code, detail },
    ...(errors.length > 0 && { errors }),
    ...(isUnknown && { effect: "unknown" }),
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, ...answer.headers, "content-type": problemType },
  });
}
