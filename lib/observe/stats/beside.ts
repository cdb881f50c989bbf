import type { Reason } from "../../enforce/beside/compare.ts";
import { type Difference, hourMs, keptHours, sameField } from "../../enforce/beside/differences.ts";
import { parseObject } from "../../parse-object.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { listIn, repliesOf } from "../../redis/script.ts";

/** Requests that only one of the two limiters denied, for one reason. */
export interface DifferenceCount {
  readonly deniedBy: Difference["deniedBy"];
  readonly reason: Reason;
  /** The rule of Sluice that was compared; empty where none counted the requests. */
  readonly rule: string;
  readonly requests: number;
}

/** What one app compared between the limiter that it has and Sluice. */
export interface BesideComparison {
  readonly app: string;
  /** Requests that were compared. */
  readonly compared: number;
  readonly different: number;
  /** The most frequent first. */
  readonly counts: readonly DifferenceCount[];
  /** Requests of these reasons, the newest first, a few of each. */
  readonly examples: readonly Difference[];
}

interface BesideQuestion {
  readonly nowMs: number;
  /** Whole hours are read: up to an hour more. */
  readonly sinceMs: number;
  /** All apps if undefined. */
  readonly app?: string | undefined;
}

const shownExamples = 3;

/** What apps that run Sluice beside another limiter have compared, by app. */
export async function readBeside(redis: Connection, question: BesideQuestion): Promise<BesideComparison[]> {
  const { nowMs, sinceMs, app } = question;
  const last = Math.floor(nowMs / hourMs);
  const first = Math.max(last - keptHours, Math.floor(sinceMs / hourMs));
  const hours = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const apps = app === undefined ? await appsOf(redis, hours) : [app];
  const compared = await Promise.all(apps.map((name) => readApp(redis, name, hours, sinceMs)));
  return compared.filter((one) => one.compared > 0);
}

async function appsOf(redis: Connection, hours: readonly number[]): Promise<string[]> {
  const pipeline = redis.pipeline();
  for (const hour of hours) pipeline.smembers(keys.besideApps(hour));
  const named = (await repliesOf(pipeline)).flatMap((reply) => listIn(reply).map(String));
  return [...new Set(named)].sort();
}

async function readApp(
  redis: Connection,
  app: string,
  hours: readonly number[],
  sinceMs: number,
): Promise<BesideComparison> {
  const pipeline = redis.pipeline();
  for (const hour of hours) pipeline.hgetall(keys.besideCounts(hour, app));
  const sums = new Map<string, number>();
  for (const reply of await repliesOf(pipeline))
    for (const [field, count] of Object.entries(reply ?? {}))
      sums.set(field, (sums.get(field) ?? 0) + (Number(count) || 0));
  const counts = [...sums].flatMap(([field, requests]) => readField(field, requests));
  const different = counts.reduce((sum, { requests }) => sum + requests, 0);
  return {
    ...{ app, different, compared: different + (sums.get(sameField) ?? 0) },
    counts: counts.sort((a, b) => b.requests - a.requests),
    examples: await readExamples(redis, app, new Set(counts.map(({ reason }) => reason)), sinceMs),
  };
}

/** Empty for a count that only another version knows. */
function readField(field: string, requests: number): DifferenceCount[] {
  const [deniedBy, reason, rule] = field.split(" ");
  if ((deniedBy !== "old" && deniedBy !== "sluice") || !reason || rule === undefined) return [];
  // The one cast: a newer version may know more reasons, which are shown as they are.
  return [{ deniedBy, reason: reason as Reason, rule, requests }];
}

async function readExamples(
  redis: Connection,
  app: string,
  of: ReadonlySet<Reason>,
  sinceMs: number,
): Promise<Difference[]> {
  const pipeline = redis.pipeline();
  for (const reason of of)
    pipeline.xrevrange(keys.besideExamples(reason, app), "+", "-", "COUNT", shownExamples);
  const texts = (await repliesOf(pipeline)).flatMap((reply) =>
    listIn(reply).map((entry) => String(listIn(listIn(entry)[1])[1])),
  );
  return texts
    .flatMap((text) => {
      const found = parseObject(text);
      // The one cast: nodes write what `Difference` says; what is shown of it is checked where it is shown.
      return typeof found?.at === "number" ? [found as unknown as Difference] : [];
    })
    .filter(({ at }) => at >= sinceMs - hourMs)
    .sort((a, b) => b.at - a.at);
}
