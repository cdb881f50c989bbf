import { randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import { writeNote } from "../enforce/lists/entry.ts";
import { policySchema } from "../enforce/policy/schema.ts";
import { sampleFields } from "../enforce/stats/report.ts";
import type { Signed } from "../manage/audit/record.ts";
import { importMany } from "../manage/lists/bulk.ts";
import type { ListContext } from "../manage/lists/change-entries.ts";
import { saveSharedOverride } from "../manage/overrides/save-shared.ts";
import { savePolicy } from "../manage/policy/save.ts";
import { keys, sampleStreams } from "../redis/keys.ts";

/** Entries of the blocklist. */
export const held = 60_000;
/** Entries of one record. */
export const imported = 30_000;
const versions = 100;
const minutes = 1_440;

/** Two years of a shop in Redis: long lists, a long log, many versions, a day of reports. */
export async function fillConsole(client: Redis, signed: Signed): Promise<void> {
  await importFeed({ ...signed, protectedRanges: [] });
  for (let from = imported; from < held; from += 1_000) await client.mset(entriesFrom(from).flat());
  await saveVersions(signed);
  await fillReports(client);
  for (let from = 0; from < 20_000; from += 1_000) {
    const tiers = numbersFrom(from).map((i) => [`customer:c${i}:tier_redis`, i % 3 === 0 ? "pro" : "free"]);
    await client.mset(tiers.flat());
  }
  const levels = [{ limit: 20_000, periodSeconds: 3_600 }];
  const members = { set: numbersFrom(0).map((i) => `c${i}`) };
  await saveSharedOverride(signed, { name: "beta", levels, members, reason: "beta" });
}

/** One record of very many entries, as an import leaves it. */
async function importFeed(ctx: ListContext): Promise<void> {
  const expected = Array.from({ length: imported }, (_, i) => importedAddress(i));
  const text = expected.map((address, i) => `${address},1w,bot ${i}`).join("\n");
  const input = { list: "blocklist", text, reason: "the night's scrapers", expected } as const;
  for (let after: string | null | undefined; after !== null; )
    after = (await importMany(ctx, { ...input, ...(after && { after }) })).next;
}

export const importedAddress = (i: number) => `9.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;

const numbersFrom = (from: number) => Array.from({ length: 1_000 }, (_, i) => from + i);

function entriesFrom(from: number): string[][] {
  return numbersFrom(from).map((i) => [
    `blocklist:10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
    writeNote({ reason: `scraper ${i}`, by: `u${i % 50}@example.org`, at: when(i), via: "console" }),
  ]);
}

const when = (i: number) => new Date(1_700_000_000_000 + i * 1_000).toISOString();

async function saveVersions(signed: Signed): Promise<void> {
  const client = (i: number) =>
    i % 4 === 3 ? { cookie: `c${i}` } : i % 4 === 2 ? { header: `x-h${i}` } : "ip";
  const rules = (limit: number) =>
    Array.from({ length: 24 }, (_, i) => ({
      ...{ name: `rule/${i}`, client: client(i), algorithm: "fixed", match: { only: [`/p${i}`] } },
      levels: [60, 3_600].map((periodSeconds) => ({ limit: limit + i + periodSeconds, periodSeconds })),
    }));
  for (let version = 1; version <= versions; version++) {
    const make = () => policySchema.parse({ mode: "enforce", rules: rules(version), tiers: {} });
    await savePolicy(signed, { action: "policy.set", reason: `version ${version}`, make });
  }
}

/** Key of a scope that nodes have counted all day. */
export const busyScope = "0123456789abcdef";

async function fillReports(client: Redis): Promise<void> {
  const running = Math.floor(Date.now() / 60_000);
  const pipeline = client.pipeline();
  for (let i = 0; i < 5_000; i++) pipeline.xadd(keys.feed(), "*", "r", JSON.stringify(seen(i)));
  for (const stream of sampleStreams)
    for (let i = 0; i < 2_500; i++) pipeline.xadd(keys.samples(stream), "*", "sample", sampleText(i));
  for (let hour = Math.floor(running / 60) - 24; hour <= running / 60; hour++)
    for (let i = 0; i < 1_000; i++) pipeline.zadd(keys.denialLog(hour), i, sampleText(i));
  for (const of of ["denied", "passed"] as const)
    for (let i = 0; i < 2_000; i++) {
      const client = `10.0.${i >> 8}.${i & 255}`;
      pipeline.zadd(keys.evidenceIndex(of, "ip"), i, client);
      pipeline.rpush(keys.evidence(of, "ip", client), ...Array(40).fill(sampleText(i)));
    }
  for (let i = 0; i < 100; i++)
    pipeline.rpush(keys.evidence("denied", "customer", `c${i}`), ...Array(40).fill(sampleText(i)));
  for (let minute = running - minutes; minute <= running; minute++) {
    const busiest = Array.from({ length: 100 }, (_, i) => [
      1_000 + ((i * 7_919 + minute) % 1_000),
      i % 2 ? `ip 10.0.${minute & 31}.${i}` : `customer c${i * 9}`,
    ]).flat();
    pipeline.sadd(keys.activeApps(minute), "shop");
    pipeline.zadd(keys.hitters("all", "shop", minute), ...busiest);
    pipeline.zadd(keys.hitters("denied", "shop", minute), ...busiest.slice(0, 80));
    fillScope(pipeline, minute, minute > running - 70);
  }
  await pipeline.exec();
  const limited = Array.from({ length: 5_000 }, (_, i) => limitedClient(i, running));
  await client.hset(keys.edgeLimited(), ...limited.flat());
}

/** A scope with more clients in each bucket than are kept, and a rule in shadow. */
function fillScope(pipeline: ReturnType<Redis["pipeline"]>, minute: number, isLastHour: boolean): void {
  const clients = Array.from({ length: 400 }, (_, i) => [
    1 + ((i * 7_919 + minute) % 997),
    `10.${minute & 31}.1.${i}`,
  ]);
  pipeline.zadd(keys.countedScopes(minute), 60, busyScope, 60, `${busyScope} 10`);
  pipeline.zadd(keys.scopeHitters(60, minute, busyScope), ...clients.flat());
  if (!isLastHour) return;
  for (let i = 0; i < 6; i++)
    pipeline.zadd(keys.scopeHitters(10, 6 * minute + i, busyScope), ...clients.flat());
  pipeline.zadd(
    keys.shadowHitters(minute, "busy"),
    ...clients.flatMap(([count, client]) => [count ?? 1, `c1 ${client}`]),
  );
}

function sampleText(i: number): string {
  const fields = { ...seen(i), at: Date.now() };
  return JSON.stringify(sampleFields.map((name) => fields[name]));
}

function seen(i: number) {
  return {
    ...{ ip: `10.0.${i >> 8}.${i & 255}`, method: "GET", host: "shop.example", path: "/p".repeat(60) },
    ...{ userAgent: "u".repeat(120), outcome: "throttled", rule: "rule/1", customerId: `c${i % 100}` },
    ...{ standsFor: 1, app: "shop", node: "n1", session: "pro" },
  };
}

function limitedClient(i: number, minute: number): string[] {
  const key = randomBytes(20).toString("hex");
  const place = { host: "shop.example", path: "/p", method: "GET" };
  const fingerprint = {
    key,
    kind: "standard",
    ip: `10.1.${i >> 8}.${i & 255}`,
    userAgent: "curl/8",
    ...place,
  };
  const times = { since: Date.now(), lastOver: minute, until: Date.now() + 600_000 };
  return [key, JSON.stringify({ fingerprint, ...times, count: 500, limit: 120 })];
}
