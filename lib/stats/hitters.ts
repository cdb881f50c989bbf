import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { hitterKinds } from "./tally.ts";

/** Whom rules count: an address or network, a customer, or whatever one rule counts by. */
export type HitterName =
  | { readonly kind: "ip"; readonly client: string }
  | { readonly kind: "customer"; readonly client: string }
  | { readonly kind: "rule"; readonly rule: string; readonly client: string };

export interface TopHitter {
  readonly name: HitterName;
  readonly requests: number;
  readonly denied: number;
  /** Where most of them went. */
  readonly app: string;
}

export interface HittersWanted {
  readonly app?: string | undefined;
  /** The minutes that count, in minutes since the epoch. */
  readonly minutes: readonly number[];
  readonly most: number;
  readonly by: "all" | "denied";
}

/** The clients that came most, or were denied most, in these minutes. */
export async function readHitters(redis: Connection, wanted: HittersWanted): Promise<TopHitter[]> {
  const places = await placesOf(redis, wanted);
  const pipeline = redis.pipeline();
  for (const { app, minute } of places) {
    for (const what of ["all", "denied"] as const)
      pipeline.zrevrange(keys.hitters(what, app, minute), 0, 2 * wanted.most, "WITHSCORES");
  }
  const answers = (await pipeline.exec()) ?? [];
  const found = new Map<string, { requests: number; denied: number; apps: Map<string, number> }>();
  for (const [i, { app }] of places.entries()) {
    for (const [name, count] of scored(answers[2 * i])) {
      const sum = found.get(name) ?? { requests: 0, denied: 0, apps: new Map() };
      found.set(name, sum);
      sum.requests += count;
      sum.apps.set(app, (sum.apps.get(app) ?? 0) + count);
    }
    for (const [name, count] of scored(answers[2 * i + 1])) {
      const sum = found.get(name) ?? { requests: count, denied: 0, apps: new Map([[app, count]]) };
      found.set(name, sum);
      sum.denied += count;
    }
  }
  const by = wanted.by === "denied" ? "denied" : "requests";
  return [...found]
    .flatMap(([text, { requests, denied, apps }]) => {
      const name = readName(text);
      return name ? [{ name, requests, denied, app: mostOf(apps) }] : [];
    })
    .sort((a, b) => b[by] - a[by] || b.requests - a.requests)
    .slice(0, wanted.most);
}

async function placesOf(redis: Connection, { app, minutes }: HittersWanted) {
  if (app !== undefined) return minutes.map((minute) => ({ app, minute }));
  const found = await Promise.all(minutes.map((minute) => redis.smembers(keys.activeApps(minute))));
  return minutes.flatMap((minute, i) => (found[i] ?? []).map((one) => ({ app: one, minute })));
}

function scored(answer: [error: Error | null, result: unknown] | undefined): [string, number][] {
  const [error, flat] = answer ?? [];
  if (error) throw error;
  return readScores(flat);
}

/** Members with their scores: pairs in RESP3, one flat list in RESP2. */
export function readScores(flat: unknown): [string, number][] {
  if (!Array.isArray(flat)) return [];
  if (Array.isArray(flat[0])) return flat.map(([name, count]) => [String(name), Number(count)]);
  return Array.from({ length: flat.length / 2 }, (_, i) => [String(flat[2 * i]), Number(flat[2 * i + 1])]);
}

function readName(text: string): HitterName | undefined {
  for (const kind of ["ip", "customer"] as const)
    if (text.startsWith(hitterKinds[kind])) return { kind, client: text.slice(hitterKinds[kind].length) };
  if (!text.startsWith(hitterKinds.rule)) return undefined;
  const [rule = "", ...client] = text.slice(hitterKinds.rule.length).split(" ");
  return { kind: "rule", rule, client: client.join(" ") };
}

function mostOf(apps: ReadonlyMap<string, number>): string {
  return [...apps].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}
