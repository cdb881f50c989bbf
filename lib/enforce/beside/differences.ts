import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { type Pipeline, repliesOf } from "../../redis/script.ts";
import type { CountedLevel, OldDecision, Reason } from "./compare.ts";

/** A request that the old limiter and Sluice decided differently. */
export interface Difference {
  /** Date.now() of the request. */
  readonly at: number;
  readonly app: string;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** The client's address, as Sluice knows it. */
  readonly ip?: string | undefined;
  readonly customerId?: string | undefined;
  /** Which of the two denied the request, or would have. */
  readonly deniedBy: "old" | "sluice";
  readonly reason: Reason;
  /** The reason in a sentence, with numbers. */
  readonly says: string;
  /** The rule of Sluice that was compared. Undefined where none counted the request. */
  readonly rule?: string | undefined;
  /** The key is a digest unless it is an address or the customer: it may be a secret. */
  readonly old: OldDecision;
  /** Each level of each rule that counted the request. */
  readonly levels: readonly CountedLevel[];
}

/** What an app compared since its last report. */
export interface BesideReport {
  /** By field: `same`, or the limiter that denied with reason and rule. */
  readonly counts: ReadonlyMap<string, number>;
  /** A few of each reason. */
  readonly examples: readonly Difference[];
}

export const sameField = "same";

/** A count's name in Redis. Neither a reason nor a rule's name holds a space. */
export function besideField({ deniedBy, reason, rule = "" }: Difference): string {
  return `${deniedBy} ${reason} ${rule}`;
}

export const hourMs = 3_600_000;
/** Hours that a report can look back. */
export const keptHours = 8 * 24;
const keptSeconds = (keptHours + 1) * 3_600;
/** Of one reason. */
const keptExamples = 20;
/** In one report, of one reason. */
const mostExamples = 3;
const longestPath = 200;

/** Collects what is compared between two reports, in bounded memory. */
export class BesideTally {
  #counts = new Map<string, number>();
  #examples = new Map<Reason, Difference[]>();

  noteSame(): void {
    this.#count(sameField);
  }

  note(difference: Difference): void {
    this.#count(besideField(difference));
    const known = this.#examples.get(difference.reason) ?? [];
    if (known.length >= mostExamples) return;
    this.#examples.set(difference.reason, [
      ...known,
      { ...difference, path: difference.path.slice(0, longestPath) },
    ]);
  }

  /** Everything since the call before, which is forgotten. Undefined if nothing was compared. */
  take(): BesideReport | undefined {
    if (this.#counts.size === 0) return undefined;
    const report = { counts: this.#counts, examples: [...this.#examples.values()].flat() };
    this.#counts = new Map();
    this.#examples = new Map();
    return report;
  }

  #count(field: string): void {
    this.#counts.set(field, (this.#counts.get(field) ?? 0) + 1);
  }
}

/** Adds a report to what the app has compared in this hour. */
export async function sendBeside(
  redis: Connection,
  app: string,
  { counts, examples }: BesideReport,
  nowMs: number,
): Promise<void> {
  const hour = Math.floor(nowMs / hourMs);
  const pipeline: Pipeline = redis.pipeline();
  const [countsKey, appsKey] = [keys.besideCounts(hour, app), keys.besideApps(hour)];
  for (const [field, count] of counts) pipeline.hincrby(countsKey, field, count);
  pipeline.expire(countsKey, keptSeconds).sadd(appsKey, app).expire(appsKey, keptSeconds);
  for (const example of examples) {
    const key = keys.besideExamples(example.reason, app);
    pipeline.xadd(key, "MAXLEN", keptExamples, "*", "difference", JSON.stringify(example));
    pipeline.expire(key, keptSeconds);
  }
  await repliesOf(pipeline);
}
