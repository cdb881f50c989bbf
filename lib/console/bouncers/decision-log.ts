import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript } from "../../redis/script.ts";
import { type Decision, readDecision } from "./decision.ts";

/** A value's decision, or the last one of a value that is gone. */
export interface DecisionChange {
  readonly value: string;
  readonly decision: Decision;
  readonly isGone: boolean;
}

export interface LogEntry {
  readonly id: string;
  readonly changes: readonly DecisionChange[];
}

/** A bouncer that was away for longer gets all decisions, and not what ended before. */
const keptMs = 7 * 86_400_000;
export const mostValues = 200_000;
/** Changes of one call: Redis does nothing else while it runs. */
export const changesAtOnce = 500;
const entriesAtOnce = 100;

interface Publication {
  /** Newest entry that the caller knows; "" for none. */
  readonly head: string;
  readonly changes: readonly DecisionChange[];
}

const publishScript = defineScript({
  lua: lua.publishDecisions,
  keys: (_: Publication) => [keys.decisions(), keys.decisionLog(), keys.decisionLogValues()],
  args: ({ head, changes }) => [
    ...[head, keptMs, mostValues],
    ...changes.flatMap(({ value, decision, isGone }) => [
      value,
      (isGone ? "-" : "") + JSON.stringify(decision),
    ]),
  ],
  reply: (id: string | null) => id ?? undefined,
});

/** Undefined where another process has published since: read first. */
export function publish(redis: Connection, publication: Publication): Promise<string | undefined> {
  return publishScript.run(redis, publication);
}

/** The newest entry; "" for none. */
export async function readHead(redis: Connection): Promise<string> {
  const [newest] = await redis.xrevrange(keys.decisionLog(), "+", "-", "COUNT", 1);
  return newest?.[0] ?? "";
}

/** Pages of what was published. */
export async function* readDecisions(redis: Connection): AsyncGenerator<readonly [string, Decision][]> {
  let cursor = "0";
  do {
    const [next, flat] = await redis.hscan(keys.decisions(), cursor, "COUNT", 1_000);
    cursor = next;
    yield inPairs(flat).map(([value, text]) => [value, readDecision(text)]);
  } while (cursor !== "0");
}

/** Entries after one, or all (""). Undefined where that one is in the log no more. */
export async function readEntries(redis: Connection, after: string): Promise<LogEntry[] | undefined> {
  const found: LogEntry[] = [];
  for (let from = after || "-"; ; ) {
    const page = await redis.xrange(keys.decisionLog(), from, "+", "COUNT", entriesAtOnce);
    if (from === after && page[0]?.[0] !== after) return undefined;
    found.push(...page.flatMap(([id, fields]) => (id === after ? [] : [{ id, changes: changesIn(fields) }])));
    const last = page.at(-1)?.[0];
    if (page.length < entriesAtOnce || last === undefined) return found;
    from = `(${last}`;
  }
}

function changesIn(fields: readonly string[]): DecisionChange[] {
  return inPairs(fields).map(([value, text]) => {
    const isGone = text.startsWith("-");
    return { value, isGone, decision: readDecision(isGone ? text.slice(1) : text) };
  });
}

function inPairs(flat: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) pairs.push([flat[i] ?? "", flat[i + 1] ?? ""]);
  return pairs;
}

const positionSeconds = 8 * 86_400;

/** The entry up to which a bouncer has everything. */
export async function readPosition(redis: Connection, bouncer: string): Promise<string | undefined> {
  return (await redis.get(keys.bouncer(bouncer))) ?? undefined;
}

export async function writePosition(redis: Connection, bouncer: string, position: string): Promise<void> {
  await redis.set(keys.bouncer(bouncer), position, "EX", positionSeconds);
}
