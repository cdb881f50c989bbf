import { countsByApp, type Field, type RuleNames, readField } from "../../enforce/stats/fields.ts";
import { latencyEndsMs } from "../../enforce/stats/tally.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";

/** The counts of one app since the first report. */
export interface AppTotals {
  readonly app: string;
  readonly outcomes: ReadonlyMap<string, number>;
  readonly denials: ReadonlyMap<string, number>;
  readonly shadows: ReadonlyMap<string, number>;
  /** Requests that rules exempt from all limits, also those in shadow. */
  readonly exemptions: ReadonlyMap<string, number>;
  /** What passed above limits, by rule. */
  readonly overs: ReadonlyMap<string, number>;
  /** Requests that rules counted, and those with which the rule was near its limit or denied. */
  readonly hits: ReadonlyMap<string, number>;
  readonly nears: ReadonlyMap<string, number>;
  readonly unsure: number;
  /** Decisions by how long they took: as many as there are ends, and one more. */
  readonly latencies: readonly number[];
  readonly tookSeconds: number;
}

export async function readTotals(redis: Connection, rules: RuleNames): Promise<AppTotals[]> {
  const apps = [...countsByApp(await redis.hgetall(keys.totals()))].map(([app, counts]) => {
    const totals = emptyTotals(app);
    for (const [text, count] of counts) add(totals, readField(text, rules), count);
    return totals;
  });
  return apps.sort((a, b) => (a.app < b.app ? -1 : 1));
}

function emptyTotals(app: string) {
  return {
    app,
    outcomes: new Map<string, number>(),
    denials: new Map<string, number>(),
    shadows: new Map<string, number>(),
    exemptions: new Map<string, number>(),
    overs: new Map<string, number>(),
    hits: new Map<string, number>(),
    nears: new Map<string, number>(),
    unsure: 0,
    latencies: new Array<number>(latencyEndsMs.length + 1).fill(0),
    tookSeconds: 0,
  };
}

function add(totals: ReturnType<typeof emptyTotals>, field: Field | undefined, count: number): void {
  switch (field?.kind) {
    case "outcome":
      totals.outcomes.set(field.outcome, count);
      break;
    case "denied":
      raise(totals.denials, field.rule, count);
      break;
    case "shadow":
      raise(totals.shadows, field.rule, count);
      break;
    case "exempt":
      raise(totals.exemptions, field.rule, count);
      break;
    case "over":
      raise(totals.overs, field.rule, count);
      break;
    case "hit":
    case "checked":
      raise(totals.hits, field.rule, count);
      break;
    case "near":
      raise(totals.nears, field.rule, count);
      break;
    case "took":
      if (field.bucket in totals.latencies) totals.latencies[field.bucket] = count;
      break;
    case "tookMicros":
      totals.tookSeconds = count / 1e6;
      break;
    case "unsure":
      totals.unsure = count;
      break;
  }
}

/** Several names may be of one rule. */
function raise(counts: Map<string, number>, rule: string, count: number): void {
  counts.set(rule, (counts.get(rule) ?? 0) + count);
}
