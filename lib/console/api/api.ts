import type { Limit } from "../../enforce/guard/limit.ts";
import { DomainError } from "../../errors.ts";
import { tallyRefusal } from "../../manage/audit/denied-attempts.ts";
import { scopeWords, type TokenScope } from "../../manage/tokens/scopes.ts";
import type { ApiToken } from "../../manage/tokens/token.ts";
import { failureOf } from "../failure.ts";
import { inFairTurn } from "../fair-turns.ts";
import { uncached } from "../read.ts";
import type { RequestOrigin } from "../session/session.ts";
import { apiRoot, bearerOf } from "./bearer.ts";
import { openApi } from "./openapi.ts";
import type { ApiContext, Operation } from "./operation.ts";
import { matchPath } from "./operations.ts";
import { ApiRefusal, type ProblemAnswer, problemOf, problemResponse } from "./problem.ts";
import { type GivenAnswer, once } from "./stored-answers.ts";
import { type AdmissionParts, authenticate, countRequest } from "./token-admission.ts";

/** What the API answers with. */
export interface ApiParts extends AdmissionParts {
  /** Requests of a token. */
  readonly limits: { readonly reads: Limit; readonly writes: Limit };
}

/** Answers a request: token → limit → operation → scope → schema → verb. Every error is a problem (RFC 9457). */
export async function answerApi(parts: ApiParts, request: Request, origin: RequestOrigin): Promise<Response> {
  const pathname = new URL(request.url).pathname.slice(apiRoot.length);
  // Next asks for GET in place of HEAD, and drops the body.
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (pathname === "/openapi.json" && method === "GET") return documentResponse();
  const headers: Record<string, string> = { ...uncached };
  let isVersioned = false;
  let isBegun = false;
  try {
    const secret = bearerOf(request.headers.get("authorization"));
    const token = await authenticate(parts, secret, origin, "Authorization: Bearer slc_…");
    const found = matchPath(pathname);
    const operation = found?.operations.find((one) => one.method === method);
    Object.assign(headers, await countRequest(limitOf(parts, operation), token));
    if (!found) throw noOperation(pathname);
    if (!operation) throw noMethod(found.operations);
    const call = await admit({ parts, token, origin, operation, request, params: found.params });
    isVersioned = operation.ifMatch !== undefined && call.ctx.ifMatch !== undefined;
    isBegun = operation.isWrite;
    const { answer, isReplayed } = await call.answer();
    if (isReplayed) headers["idempotency-replayed"] = "true";
    return answerResponse(answer, headers);
  } catch (error) {
    return problemResponse(answerTo(error, isBegun, isVersioned), headers);
  }
}

function answerTo(error: unknown, isBegun: boolean, isVersioned: boolean): ProblemAnswer {
  if (error instanceof ApiRefusal) return error.answer;
  return problemOf(failureOf(error, isBegun ? "change" : "before"), isVersioned);
}

function answerResponse(
  { status, body, version, shownOnce }: GivenAnswer,
  headers: Record<string, string>,
): Response {
  return Response.json(shownOnce ? { ...Object(body), ...shownOnce } : body, {
    status,
    headers: { ...headers, ...(version !== undefined && { etag: `"${version}"` }) },
  });
}

/** The document has no secrets, and is the same for all. */
function documentResponse(): Response {
  return Response.json(openApi(), { headers: { "cache-control": "public, max-age=300" } });
}

function limitOf({ limits }: ApiParts, operation: Operation | undefined): Limit {
  return operation?.isWrite ? limits.writes : limits.reads;
}

interface Admission {
  readonly parts: ApiParts;
  readonly token: ApiToken;
  readonly origin: RequestOrigin;
  readonly operation: Operation;
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
}

interface AdmittedCall {
  readonly ctx: ApiContext;
  answer(): Promise<{ readonly answer: GivenAnswer; readonly isReplayed: boolean }>;
}

/** The call that this token may make. Writes nothing but the record of a refusal. */
async function admit({ parts, token, origin, operation, request, params }: Admission): Promise<AdmittedCall> {
  const { search, query, isDryRun } = queryOf(request, operation);
  const actor = {
    name: `token:${token.name}`,
    via: "api",
    ...(origin.address && { address: origin.address }),
  };
  const { console } = parts;
  const { redis, seal, protectedRanges } = console;
  const ifMatch = ifMatchOf(request, operation);
  const ctx: ApiContext = { console, redis, seal, protectedRanges, actor, token, ifMatch, isDryRun };
  // First: what is wrong with the input concerns only tokens that may use the operation.
  await requireScope(ctx, operation, operation.scopes[0]);
  await requireApp(ctx, operation);
  const body = await bodyOf(request, operation);
  const parsed = operation.parse({ params, query, body: body.value });
  await requireScope(ctx, operation, parsed.needs);
  const run = () => inFairTurn("read", actor.name, () => parsed.run(ctx));
  const act = async (): Promise<GivenAnswer> => {
    const { status = 200, body: found, version, shownOnce } = await run();
    return { status, body: found, version, ...(shownOnce && { shownOnce }) };
  };
  const key = operation.isWrite && !isDryRun ? request.headers.get("idempotency-key") : null;
  return {
    ctx,
    async answer() {
      if (key === null) return { answer: await act(), isReplayed: false };
      const same = JSON.stringify([
        request.method,
        new URL(request.url).pathname,
        search,
        ifMatch,
        body.text,
      ]);
      return once(redis, { token, key, request: same }, act);
    },
  };
}

async function requireScope(
  ctx: ApiContext,
  { action }: Operation,
  scope: TokenScope | undefined,
): Promise<void> {
  const { token } = ctx;
  if (scope === undefined || token.scopes.includes(scope)) return;
  await record(ctx, { action, reason: `the token has no scope ${scope}` });
  throw new DomainError(
    "not-allowed",
    `The token ${token.name} may not do this: it has no scope ${scope} (${scopeWords[scope]}).`,
  );
}

async function requireApp(ctx: ApiContext, { action, isForApps }: Operation): Promise<void> {
  const { token } = ctx;
  if (token.app === undefined || isForApps) return;
  await record(ctx, { action, reason: `the token is for the app ${token.app} alone` });
  throw new DomainError(
    "not-allowed",
    `The token ${token.name} is for the app ${token.app}, and this concerns all apps.`,
  );
}

/** Also in a dry run: it was refused all the same. */
function record(ctx: ApiContext, refusal: Parameters<typeof tallyRefusal>[1]): Promise<void> {
  return tallyRefusal({ ...ctx, isDryRun: false }, refusal);
}

function queryOf(request: Request, { isWrite }: Operation) {
  const { searchParams } = new URL(request.url);
  const search = searchParams.toString();
  const query = Object.fromEntries(searchParams);
  if (!isWrite) return { search, query, isDryRun: false };
  const { dryRun = "false", ...others } = query;
  if (dryRun === "true" || dryRun === "false") return { search, query: others, isDryRun: dryRun === "true" };
  throw new DomainError("bad-input", "dryRun is true or false.", { dryRun: "write true or false" });
}

/** The version that If-Match names. Undefined for `*`, which accepts any. */
function ifMatchOf(request: Request, { ifMatch }: Operation): string | undefined {
  const text = request.headers.get("if-match")?.trim();
  if (ifMatch === undefined || text === "*") return undefined;
  if (text === undefined) {
    if (ifMatch === "optional") return undefined;
    throw new ApiRefusal({
      ...{ status: 428, code: "bad-input", fields: { "If-Match": "the ETag of what you read, or *" } },
      detail:
        "If-Match is missing. Send the ETag of what the change is made from, or * to change whatever is there.",
    });
  }
  const version = /^(?:W\/)?"([!-~]{1,100})"$/.exec(text)?.[1];
  if (version !== undefined && version !== '"') return version;
  throw new DomainError("bad-input", 'If-Match is one ETag in quotes, such as "7", or *.', {
    "If-Match": "one ETag in quotes, or *",
  });
}

interface GivenBody {
  readonly value: unknown;
  readonly text: string;
}

async function bodyOf(request: Request, { body }: Operation): Promise<GivenBody> {
  if (body === undefined) return { value: undefined, text: "" };
  const kind = request.headers.get("content-type") ?? "";
  if (!/^application\/(?:[a-z.-]+\+)?json\s*(?:;|$)/i.test(kind))
    throw new ApiRefusal({
      ...{ status: 415, code: "bad-input" },
      detail: "The body is JSON: send Content-Type: application/json.",
    });
  const text = await request.text();
  try {
    return { value: JSON.parse(text), text };
  } catch {
    throw new DomainError("bad-input", "The body is not valid JSON.", { body: "is not valid JSON" });
  }
}

function noOperation(pathname: string): DomainError {
  return new DomainError(
    "not-found",
    `There is no ${apiRoot}${pathname.slice(0, 100)}. ${apiRoot}/openapi.json lists what there is.`,
  );
}

function noMethod(there: readonly Operation[]): ApiRefusal {
  const methods = there.map(({ method }) => method).join(", ");
  return new ApiRefusal({
    ...{ status: 405, code: "bad-input", detail: `This path takes ${methods}.`, headers: { allow: methods } },
  });
}
