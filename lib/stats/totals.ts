import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { latencyEndsMs } from "./tally.ts";

/** What one app has counted since the beginning. */
export interface AppTotals {
  readonly app: string;
  readonly outcomes: ReadonlyMap<string, number>;
  readonly denials: ReadonlyMap<string, number>;
  readonly shadows: ReadonlyMap<string, number>;
  readonly unsure: number;
  /** Decisions by how long they took: as many as there are ends, and one more. */
  readonly latencies: readonly number[];
  readonly tookSeconds: number;
}

export async function readTotals(redis: Connection): Promise<AppTotals[]> {
  const apps = new Map<string, Building>();
  for (const [field, text] of Object.entries(await redis.hgetall(keys.totals()))) {
    const [app, what] = field.split("\0", 2);
    const count = Number(text);
    if (app === undefined || what === undefined || !Number.isFinite(count)) continue;
    const totals = apps.get(app) ?? beginning(app);
    apps.set(app, totals);
    add(totals, what, count);
  }
  return [...apps.values()].sort((a, b) => (a.app < b.app ? -1 : 1));
}

type Building = ReturnType<typeof beginning>;

function beginning(app: string) {
  return {
    app,
    outcomes: new Map<string, number>(),
    denials: new Map<string, number>(),
    shadows: new Map<string, number>(),
    unsure: 0,
    latencies: new Array<number>(latencyEndsMs.length + 1).fill(0),
    tookSeconds: 0,
  };
}

function add(totals: Building, what: string, count: number): void {
  const [kind = "", ...rest] = what.split(" ");
  const name = rest.join(" ");
  if (kind === "denied") totals.denials.set(name, count);
  else if (kind === "shadow") totals.shadows.set(name, count);
  else if (what === "unsure") totals.unsure = count;
  else if (what === "took us") totals.tookSeconds = count / 1e6;
  else if (kind === "took" && Number(name) in totals.latencies) totals.latencies[Number(name)] = count;
  else if (rest.length === 0) totals.outcomes.set(what, count);
}
