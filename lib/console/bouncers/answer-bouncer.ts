import { createHash } from "node:crypto";
import { DomainError } from "../../errors.ts";
import type { ApiToken } from "../../manage/tokens/token.ts";
import { breathing } from "../../redis/loop-turn.ts";
import type { ApiParts } from "../api/api.ts";
import { ApiRefusal } from "../api/problem.ts";
import { authenticate, countRequest } from "../api/token-admission.ts";
import { exportStream } from "../export-stream.ts";
import { failureOf, statusOf } from "../failure.ts";
import { uncached } from "../read.ts";
import type { RequestOrigin } from "../session/session.ts";
import { type DecisionFilter, filterOf, valuesAround } from "./decision-filter.ts";
import { readPosition, writePosition } from "./decision-log.ts";
import { decisionText, type NamedDecision } from "./decision-text.ts";
import type { DecisionAnswer, Decisions } from "./decisions.ts";

export interface BouncerParts extends ApiParts {
  /** Once the copy of the lists is loaded. */
  readonly decisions: () => Promise<Decisions>;
}

/** Characters of one piece of an answer. */
const pieceLength = 65_536;
const type = { "content-type": "application/json; charset=utf-8" };

/** Answers `/v1/decisions` and `/v1/decisions/stream` as CrowdSec's local API does. */
export async function answerBouncer(
  parts: BouncerParts,
  request: Request,
  origin: RequestOrigin,
): Promise<Response> {
  const headers: Record<string, string> = { ...uncached, ...type };
  try {
    const secret = request.headers.get("x-api-key") ?? undefined;
    const token = await authenticate(parts, secret, origin, "X-Api-Key: slc_…");
    requireRead(token);
    Object.assign(headers, await countRequest(parts.limits.reads, token));
    const { pathname, searchParams: query } = new URL(request.url);
    if (request.method === "HEAD") return new Response(null, { headers });
    const decisions = await parts.decisions();
    const now = await decisions.refresh();
    const asked = { decisions, query, now };
    if (!pathname.endsWith("/stream")) return new Response(await listed(asked, token), { headers });
    return new Response(await streamed(parts, asked, bouncerOf(request, token, origin)), { headers });
  } catch (error) {
    return refused(error, headers);
  }
}

interface DecisionRequest {
  readonly decisions: Decisions;
  readonly query: URLSearchParams;
  readonly now: number;
}

/** The decisions about an address, or all. Bouncers take `null` for none. */
async function listed(
  { decisions, query, now }: DecisionRequest,
  token: ApiToken,
): Promise<ReadableStream | string> {
  const filter = filterOf(query);
  const values = valuesAround(query);
  if (values === null) throw new DomainError("bad-input", "ip is an address, and range is a range.");
  if (values === undefined) return exportStream(token.id, arrayText(decisions.all(), filter, now, "null"));
  const found = values.flatMap((value) => decisions.get(value) ?? []).filter(filter);
  return found.length === 0 ? "null" : `[${found.map((one) => decisionText(one, now)).join(",")}]`;
}

async function streamed(
  { console: { redis } }: BouncerParts,
  { decisions, query, now }: DecisionRequest,
  bouncer: string,
): Promise<ReadableStream> {
  const isStart = query.get("startup") === "true";
  const before = isStart ? undefined : await readPosition(redis, bouncer);
  const answer = decisions.since(before);
  const isKnown = before === answer.position;
  const noteEnd = async () => {
    if (!isKnown) await writePosition(redis, bouncer, answer.position);
  };
  return exportStream(bouncer, streamText(answer, filterOf(query), now, noteEnd));
}

/** The position is noted before the answer ends: a bouncer that did not get all of it gets it again. */
async function* streamText(
  { added, removed }: DecisionAnswer,
  filter: DecisionFilter,
  now: number,
  noteEnd: () => Promise<void>,
): AsyncGenerator<string> {
  yield '{"new":';
  yield* arrayText(added, filter, now, "[]");
  yield ',"deleted":';
  yield* arrayText(ended(removed), filter, now, "[]");
  yield "}";
  await noteEnd();
}

function* ended(removed: Iterable<NamedDecision>): Generator<NamedDecision> {
  for (const one of removed) yield { ...one, endsAt: 0 };
}

async function* arrayText(
  decisions: Iterable<NamedDecision>,
  filter: DecisionFilter,
  now: number,
  none: "[]" | "null",
): AsyncGenerator<string> {
  const breathe = breathing();
  let piece = "";
  let isEmpty = true;
  for (const decision of decisions) {
    if (!filter(decision)) continue;
    piece += `${isEmpty ? "[" : ","}${decisionText(decision, now)}`;
    isEmpty = false;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
    await breathe();
  }
  yield isEmpty ? none : `${piece}]`;
}

function requireRead({ name, scopes, app }: ApiToken): void {
  if (!scopes.includes("read")) throw new DomainError("not-allowed", `The token ${name} has no scope read.`);
  if (app !== undefined)
    throw new DomainError(
      "not-allowed",
      `The token ${name} is for the app ${app}, and lists concern all apps.`,
    );
}

/** Bouncers of one host, or several hosts, may share a token. */
function bouncerOf(request: Request, { id }: ApiToken, { address }: RequestOrigin): string {
  const who = JSON.stringify([id, address ?? "", request.headers.get("user-agent") ?? ""]);
  return createHash("sha256").update(who).digest("hex").slice(0, 32);
}

/** Errors as that API has them. It knows no 401 for keys. */
function refused(error: unknown, headers: Readonly<Record<string, string>>): Response {
  if (error instanceof ApiRefusal) {
    const { status, detail, headers: own } = error.answer;
    return message(status === 401 ? 403 : status, detail, { ...headers, ...own });
  }
  const failure = failureOf(error, "read");
  return message(statusOf[failure.code], failure.message, headers);
}

function message(status: number, text: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(JSON.stringify({ message: text }), { status, headers });
}
