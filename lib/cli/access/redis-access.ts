import { isRate } from "../../enforce/algorithms/algorithms.ts";
import { createScales } from "../../enforce/limits/scales.ts";
import { whyNotEnforced } from "../../enforce/lists/lockout.ts";
import type { CoveringEntry, RedisEntry } from "../../enforce/lists/lookup.ts";
import { protector, readNeverBlock } from "../../enforce/lists/protected.ts";
import { isGood, listVersions, readPolicy, readVersion } from "../../enforce/policy/versions.ts";
import { levelOf, sayLevels } from "../../enforce/policy/words.ts";
import type { Environment } from "../../env.ts";
import { clearOverride } from "../../manage/customers/clear-override.ts";
import { readCustomer } from "../../manage/customers/read.ts";
import { resetCounters } from "../../manage/customers/reset.ts";
import { resumeCustomer } from "../../manage/customers/resume.ts";
import { setOverride } from "../../manage/customers/set-override.ts";
import { setTier } from "../../manage/customers/set-tier.ts";
import { suspendCustomer } from "../../manage/customers/suspend.ts";
import { addEntries } from "../../manage/lists/add.ts";
import { removeEntries } from "../../manage/lists/remove.ts";
import { tagEntries } from "../../manage/lists/tag.ts";
import { endAttackMode, startAttackMode } from "../../manage/policy/attack-mode.ts";
import { rollBackTo } from "../../manage/policy/roll-back.ts";
import { setPolicy } from "../../manage/policy/set.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { listCustomers } from "../../observe/customers/search.ts";
import { readUsage, type Usage } from "../../observe/customers/usage.ts";
import { listEntries } from "../../observe/lists/scan.ts";
import { search } from "../../observe/lists/search.ts";
import {
  type ExplainedRequest,
  type ExplainSources,
  explainRequest,
} from "../../observe/policy/explain-request.ts";
import { readValue } from "../../observe/policy/explain-value.ts";
import { denialBody } from "../../observe/references/denial-body.ts";
import { explainReference } from "../../observe/references/explain-reference.ts";
import { EntryHitsReader, hitsOf } from "../../observe/stats/entry-hits.ts";
import { countNodes } from "../../observe/stats/nodes.ts";
import { readSlack } from "../../observe/stats/rule-slack.ts";
import { Series } from "../../observe/stats/series.ts";
import type { ListName } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { entryToJson } from "../list-report.ts";
import { type CommandSession, type WritingSession, withCounters } from "../session.ts";
import type { EntriesAsked, ExplainedVerdict, HitsOf, ReadAccess, UsageRow, WriteAccess } from "./access.ts";
import { redisAlarmReads, redisAlarmWrites } from "./alarm-access.ts";
import { redisDenialReads, redisDenialWrites } from "./denial-access.ts";
import { redisFeedReads, redisFeedWrites } from "./feed-access.ts";
import { redisOverrideReads, redisOverrideWrites } from "./override-access.ts";
import { redisRequestReads, redisRequestWrites } from "./request-access.ts";

/** Time limit in ms for the counters. Longer than a request waits, because a person does. */
const withinMs = 2_000;

/** What commands read, from Redis. */
export function redisReadAccess(session: CommandSession, environment: Environment): ReadAccess {
  const { redis, now } = session;
  return {
    ...redisAlarmReads(session),
    ...redisDenialReads(session),
    ...redisFeedReads(session),
    ...redisOverrideReads(session),
    ...redisRequestReads(session),
    now,
    readPolicy: () => readPolicy(redis),
    readVersion: (version) => readVersion(redis, version),
    async listVersions() {
      return (await listVersions(redis)).map((one) => {
        if (!isGood(one)) return one;
        const { policy: _, ...about } = one;
        return about;
      });
    },
    countNodes: () => countNodes(redis),
    readCustomer: (id) => readCustomer(redis, id),
    readCustomers: (page) => listCustomers(redis, page),
    readUsage: (id) =>
      withCounters(session, environment, async (counters) =>
        (await readUsage(redis, createScales(counters, { withinMs }), id)).map(usageRow),
      ),
    async listEntries(list, page) {
      const found = await enforcedEntries(session, list, page);
      return { ...found, hits: await readHits(session, list) };
    },
    async findEntries(list, address, { limit, tag }) {
      const found = await search(redis, address, session.protectedRanges);
      const here = [...found.covering, ...found.inside].filter(
        (entry) => entry.list === list && hasTag(entry, tag),
      );
      const entries = here.slice(0, limit);
      const isCut = entries.length < here.length || found.inside.length < found.insideCount;
      const { decisive } = found;
      return {
        ...{ address: found.address, entries, isCut, hits: await readHits(session, list) },
        decisive: decisive ? { list: decisive.list, address: decisive.address } : null,
      };
    },
    explain: (request) => explainFrom(session, environment, request),
    explainValue: (value) =>
      withCounters(session, environment, (counters) =>
        readValue({ redis, scales: createScales(counters, { withinMs }) }, value),
      ),
    async explainReference(reference) {
      const denial = await withSources(session, environment, (sources) =>
        explainReference(sources, reference),
      );
      return { says: [denial.says, denial.now.says], json: denialBody(denial) };
    },
  };
}

/** The same, and what commands change. */
export function redisWriteAccess(session: WritingSession, environment: Environment): WriteAccess {
  const { context, awaitApplied } = session;
  return {
    ...redisReadAccess(session, environment),
    ...redisAlarmWrites(session, environment),
    ...redisDenialWrites(session),
    ...redisFeedWrites(session, environment),
    ...redisOverrideWrites(session),
    ...redisRequestWrites(session),
    setPolicy: (input) => setPolicy(context, input),
    rollBack: (input) => rollBackTo(context, input),
    setMode: (input) => setMode(context, input),
    startAttack: (input) => startAttackMode(context, input),
    endAttack: (input) => endAttackMode(context, input),
    addEntries: (input) => addEntries(context, input),
    removeEntries: (input) => removeEntries(context, input),
    tagEntries: (input) => tagEntries(context, input),
    setTier: (input) => setTier(context, input),
    setOverride: (input) => setOverride(context, input),
    clearOverride: (input) => clearOverride(context, input),
    suspend: (input) => suspendCustomer(context, input),
    resume: (input) => resumeCustomer(context, input),
    resetCounters: (input) =>
      withCounters(session, environment, (counters) => resetCounters(context, counters, input)),
    awaitApplied,
  };
}

function usageRow(usage: Usage): UsageRow {
  const { rule, algorithm, limit, periodSeconds, overageWeight, used, resetMs, isOver, isShadowed } = usage;
  const says = isRate(algorithm)
    ? sayLevels([{ limitPerSecond: limit, halfLifeSeconds: periodSeconds, overageWeight }])
    : sayLevels([levelOf(usage)]);
  return { rule, says, used, isRate: isRate(algorithm), resetMs, isOver, isShadowed, json: usage };
}

function hasTag({ note }: RedisEntry, tag: string | undefined): boolean {
  return tag === undefined || note.tags?.includes(tag) === true;
}

async function enforcedEntries(
  { redis, protectedRanges }: CommandSession,
  list: ListName,
  { limit, tag }: EntriesAsked,
) {
  const protect = protector([...protectedRanges, ...(await readNeverBlock(redis))]);
  const entries: CoveringEntry[] = [];
  let isCut = false;
  for await (const entry of listEntries(redis, list)) {
    if (!hasTag(entry, tag)) continue;
    isCut = entries.length >= limit;
    if (isCut) break;
    const notEnforcedBecause = whyNotEnforced(list, entry.address, "string", protect);
    entries.push({ ...entry, ...(notEnforcedBecause && { notEnforcedBecause }) });
  }
  return { entries, isCut };
}

async function readHits({ redis }: CommandSession, list: ListName): Promise<HitsOf> {
  const hits = await new EntryHitsReader(redis, new Series(redis)).read(list, await redisNow(redis));
  return (address) => hitsOf(hits, address);
}

async function explainFrom(
  session: CommandSession,
  environment: Environment,
  request: ExplainedRequest,
): Promise<ExplainedVerdict> {
  const { redis, protectedRanges } = session;
  // A guard explains from its own copy while Redis is away. Here is no copy, so this read reports the error.
  await search(redis, request.ip, protectedRanges);
  const explanation = await withSources(session, environment, (sources) => explainRequest(sources, request));
  const steps = explanation.steps.map((step) => ({ ...step, entries: step.entries.map(entryToJson) }));
  return {
    says: explanation.says,
    steps: explanation.steps.map(({ rules = [], slack = [], ...step }) => ({ ...step, rules, slack })),
    json: { ...explanation, steps },
  };
}

function withSources<T>(
  session: CommandSession,
  environment: Environment,
  use: (sources: ExplainSources) => Promise<T>,
): Promise<T> {
  const { redis, protectedRanges } = session;
  return withCounters(session, environment, (counters) =>
    use({
      ...{ redis, protectedRanges, scales: createScales(counters, { withinMs }) },
      readSlack: (rules) => readSlack({ redis, series: new Series(redis) }, rules),
    }),
  );
}
