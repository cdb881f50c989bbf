import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { at, madeOnce } from "../../at.ts";
import { errorLine } from "../../errors.ts";
import { readBlock } from "../../ip/parse.ts";
import { isObject } from "../../parse-object.ts";
import type { Guard } from "../guard/guard.ts";
import { judge } from "../guard/http-middleware.ts";
import { type Identified, knownBy } from "../guard/identify.ts";
import { gone, peerOf } from "../guard/peer.ts";
import { countsOf } from "../guard/pipeline.ts";
import { type GuardParts, partsOfGuard } from "../guard/shared-runtime.ts";
import { isDenied, type Verdict } from "../guard/verdict.ts";
import { rawPath, withoutHost } from "../policy/request.ts";
import {
  type ComparedClient,
  type CountedLevel,
  explainDifference,
  KeyPairs,
  levelBeside,
  type OldDecision,
  type SluiceDecision,
} from "./compare.ts";
import { BesideTally, type Difference, sendBeside } from "./differences.ts";

export type { CountedLevel, OldDecision, Reason } from "./compare.ts";
export type { Difference } from "./differences.ts";

export interface BesideOptions<
  Incoming extends IncomingMessage = IncomingMessage,
  Outgoing extends ServerResponse = ServerResponse,
> {
  /** What this app knows of a request beyond its address, as for Sluice's own middleware. */
  readonly identify?: ((request: Incoming) => Identified) | undefined;
  /**
   * What the old limiter decided about a request of `askedAt` (ms), read when the response has ended. Undefined: not compared. By default
   * `request.rateLimit` of express-rate-limit tells it, then the headers `X-RateLimit-Limit` and `-Remaining`, then status 429.
   */
  readonly old?:
    | ((request: Incoming, response: Outgoing, askedAt: number) => OldDecision | undefined)
    | undefined;
  /** Gets each difference, for a log. */
  readonly onDifference?: ((difference: Difference) => void) | undefined;
}

type BesideMiddleware<Incoming, Outgoing> = (
  request: Incoming,
  response: Outgoing,
  next: (error?: unknown) => unknown,
) => void;

const reportEveryMs = 1_000;

/**
 * Middleware for Express and Connect that runs Sluice next to another limiter. It goes before that limiter. Sluice counts each
 * request and denies none, no request waits for it, and `sluice beside report` lists the requests that the two decided
 * differently, with the reason. Rules are best in shadow: a rule in force that bans still bans.
 *
 * @example
 * app.use(createBeside(guard, { onDifference: ({ says }) => console.warn(says) }));
 * app.use(rateLimit({ windowMs: 60_000, limit: 100 }));
 */
export function createBeside<
  Incoming extends IncomingMessage = IncomingMessage,
  Outgoing extends ServerResponse = ServerResponse,
>(guard: Guard, options: BesideOptions<Incoming, Outgoing> = {}): BesideMiddleware<Incoming, Outgoing> {
  const parts = partsOfGuard(guard);
  const { node, app } = parts;
  const comparison = new Comparison(parts, options.onDifference);
  const readOld = options.old ?? oldReader();
  node.uplink?.add(reportEveryMs, () => comparison.send());

  async function ask(request: Incoming, peer: string): Promise<Asked> {
    const known = await knownBy(() => options.identify?.(request));
    const forwardedFor = request.headers["x-forwarded-for"];
    const ip = guard.clientAddress(peer, Array.isArray(forwardedFor) ? forwardedFor.join() : forwardedFor);
    const client = { ip, peer, customerId: known.customerId };
    const verdict = await judge(guard, request, peer, () => known);
    // Read at once: what a verdict was made of may go on counting.
    return { client, sluice: decisionOf(verdict, parts) };
  }

  async function compare(request: Incoming, response: Outgoing, asking: Promise<Asked>, askedAt: number) {
    const { client, sluice } = await asking;
    const old = response.headersSent ? readOld(request, response, askedAt) : undefined;
    if (old) comparison.add(old, sluice, client, { at: askedAt, app, ...textOf(request) });
  }

  return function besideMiddleware(request, response, next) {
    const peer = peerOf(request.socket);
    if (peer !== gone) {
      const asking = ask(request, peer);
      asking.catch(() => {}); // The comparison logs it.
      const askedAt = Date.now();
      response.once("close", () => comparison.await(compare(request, response, asking, askedAt)));
    }
    void next();
  };
}

interface Asked {
  readonly client: ComparedClient;
  readonly sluice: SluiceDecision;
}

type RequestFacts = Pick<Difference, "at" | "app" | "method" | "path">;

/** Compares decisions, and reports what differs. */
class Comparison {
  readonly #parts: GuardParts;
  readonly #onDifference: ((difference: Difference) => void) | undefined;
  readonly #tally = new BesideTally();
  /** By rule. */
  readonly #pairs = new Map<string, KeyPairs>();
  readonly #logged = new Set<string>();
  /** Comparisons that wait for Sluice's verdict. */
  readonly #underWay = new Set<Promise<void>>();

  constructor(parts: GuardParts, onDifference: ((difference: Difference) => void) | undefined) {
    this.#parts = parts;
    this.#onDifference = onDifference;
  }

  /** The next report waits for it. */
  await(comparing: Promise<void>): void {
    const one = comparing
      .catch((error: unknown) =>
        this.#logOnce(`a request could not be compared with the old limiter: ${errorLine(error)}`),
      )
      .finally(() => this.#underWay.delete(one));
    this.#underWay.add(one);
  }

  add(old: OldDecision, sluice: SluiceDecision, client: ComparedClient, request: RequestFacts): void {
    const compared = levelBeside(old, sluice);
    const pairs = compared && madeOnce(this.#pairs, compared.rule, () => new KeyPairs());
    if (compared && old.key !== undefined) pairs?.note(old.key, compared.client);
    if (old.isDenied === sluice.isDenied) {
      this.#tally.noteSame();
      return;
    }
    const { reason, says, level } = explainDifference(old, sluice, client, pairs);
    const difference: Difference = {
      ...request,
      ip: client.ip,
      customerId: client.customerId,
      deniedBy: old.isDenied ? "old" : "sluice",
      ...{ reason, says, rule: level?.rule },
      old: { ...old, ...(old.key !== undefined && { key: shownKey(old.key, client) }) },
      levels: sluice.levels,
    };
    this.#tally.note(difference);
    this.#onDifference?.(difference);
  }

  /** What Redis does not take is lost: the counts are evidence, and must not grow without bound. */
  async send(): Promise<void> {
    const { node, app } = this.#parts;
    await Promise.all(this.#underWay);
    const report = this.#tally.take();
    const { redis, uplink } = node;
    if (!report || !uplink || redis?.status !== "ready") return;
    await sendBeside(redis, app, report, uplink.nowMs).catch((error: unknown) =>
      this.#logOnce(`what differs from the old limiter cannot be reported: ${errorLine(error)}`),
    );
  }

  #logOnce(line: string): void {
    if (!this.#logged.has(line) && this.#logged.size < 10) this.#parts.node.log(`sluice: ${line}`);
    this.#logged.add(line);
  }
}

function decisionOf(found: Verdict, { node }: GuardParts): SluiceDecision {
  const { outcome, rule, trouble, shadowed } = found;
  return {
    isDenied: isDenied(found) || shadowed.length > 0,
    outcome,
    rule: rule ?? shadowed[0],
    trouble,
    isOff: node.state.policy?.policy.mode === "off",
    levels: levelsOf(found),
  };
}

function levelsOf(found: Verdict): CountedLevel[] {
  const counts = countsOf(found);
  if (!counts) return [];
  const { planned, weighed } = counts;
  const { readings } = weighed;
  return planned.plan.steps.flatMap(({ rule, algorithm, limit, periodSeconds, slack }, i) => {
    const reading = readings[i];
    if (!reading) return [];
    const [client, cost] = [at(planned.clients, i), at(planned.costs, i)];
    const { used, isOver, resetMs } = reading;
    const resetSeconds = Math.round(resetMs / 100) / 10;
    return [{ rule, algorithm, client, limit, periodSeconds, used, cost, resetSeconds, slack, isOver }];
  });
}

function textOf(request: IncomingMessage & { originalUrl?: string }): Pick<Difference, "method" | "path"> {
  const path = rawPath({ path: withoutHost(request.originalUrl ?? request.url ?? "/") });
  return { method: request.method ?? "GET", path };
}

/** An address and a customer are shown as they are. Anything else may be a secret. */
function shownKey(key: string, { customerId }: ComparedClient): string {
  if (key === customerId || readBlock(key)) return key;
  return `digest ${createHash("sha256").update(key).digest("hex").slice(0, 8)}`;
}

/** Reads what express-rate-limit and its kin leave behind. It learns from each request what their windows are. */
function oldReader(): NonNullable<BesideOptions["old"]> {
  let windowSeconds: number | undefined;
  let hasInfo = false;

  /** The first request of a window has all of it before it. */
  function learnWindow(used: number, resetSeconds: number | undefined): void {
    if (used === 1 && resetSeconds !== undefined)
      windowSeconds = Math.max(1, windowSeconds ?? 0, Math.round(resetSeconds));
  }

  return (request, response, askedAt) => {
    const isRefused = response.statusCode === 429;
    const info = infoOf(request, askedAt);
    if (info) {
      hasInfo = true;
      const { limit, used, key, resetSeconds } = info;
      learnWindow(used, resetSeconds);
      // A 429 below the limit is another limiter's, of which nothing more is known.
      return used <= limit && isRefused
        ? { isDenied: true }
        : { isDenied: used > limit, isCounted: true, key, limit, used, resetSeconds, windowSeconds };
    }
    if (hasInfo && !isRefused) return { isDenied: false, isCounted: false };
    return { isDenied: isRefused, ...fromHeaders(response, isRefused) };
  };
}

interface Info {
  readonly limit: number;
  readonly used: number;
  readonly key: string | undefined;
  readonly resetSeconds: number | undefined;
}

/** `request.rateLimit`: `used` is `current` before version 7, `key` is there from version 8 on. */
function infoOf(request: IncomingMessage, askedAt: number): Info | undefined {
  const info: unknown = (request as { rateLimit?: unknown }).rateLimit;
  if (!isObject(info)) return undefined;
  const { limit, used = info.current, key, resetTime } = info;
  if (typeof limit !== "number" || typeof used !== "number") return undefined;
  const resetSeconds = resetTime instanceof Date ? (resetTime.getTime() - askedAt) / 1_000 : undefined;
  return { limit, used, key: typeof key === "string" ? key : undefined, resetSeconds };
}

function fromHeaders(response: ServerResponse, isRefused: boolean): Pick<OldDecision, "limit" | "used"> {
  const numberOf = (name: string) => {
    const text = String(response.getHeader(`x-${name}`) ?? response.getHeader(name) ?? "");
    return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  };
  const [limit, remaining] = [numberOf("ratelimit-limit"), numberOf("ratelimit-remaining")];
  if (limit === undefined || remaining === undefined) return {};
  return { limit, used: isRefused ? limit + 1 : limit - remaining };
}
