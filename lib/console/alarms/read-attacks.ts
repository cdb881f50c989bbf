import { consoleApp } from "../../enforce/policy/match.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { fields, readField, ruleNames } from "../../enforce/stats/fields.ts";
import type { AppRates, CountedSecond } from "../../observe/alarms/attack-detector.ts";
import { attackWords } from "../../observe/alarms/attack-words.ts";
import type { AttackView } from "../../observe/alarms/attacks.ts";
import { type Bucket, knownSeconds, sumOf } from "../../observe/stats/series.ts";
import { nameMost } from "../../observe/stats/situation.ts";
import { theConsole } from "../console.ts";
import { theStatistics } from "../statistics.ts";
import { countOf, denials, readChanges, readDenied, readUsualOf } from "../stats/read-situation.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Reports of the last two seconds may be missing. */
const incompleteMs = 2_000;
const keptSeconds = 14;
/** The minute that runs, and two before it, may be of the attack. */
const youngestMinutes = 3;
/** A minute is known if nodes reported in at least so many of its seconds. */
const leastSeconds = 20;
const changeMs = 180_000;
const mostMinutes = 1_440;
const outcomes = ["safelisted", "pass", "throttled", "blocked"] as const;

/** What the detector of attacks looks at, of all apps. */
export async function readAttackView(now: number): Promise<AttackView> {
  const { series } = theStatistics();
  const [seconds, minutes] = await Promise.all([
    series.read(1, keptSeconds, now - incompleteMs),
    series.read(60, 61, now),
  ]);
  const names = new Set([...seconds, ...minutes].flatMap(({ apps }) => [...apps.keys()]));
  names.delete(consoleApp);
  const rates = await Promise.all(
    [...names].map(async (app): Promise<[string, AppRates]> => {
      const earlier = minutes.slice(0, -youngestMinutes).map((minute) => rateOf(minute, app));
      const counted = seconds.map((second) => countedSecond(second, app));
      return [app, { seconds: counted, usualHigh: await usualHigh(app, now), earlier }];
    }),
  );
  return {
    ...{ now, rates: new Map(rates) },
    wordsOf: (app, perSecond) => wordsOf(app, perSecond, now, minutes, seconds),
    deniedSince: (app, since) => deniedSince(app, since, now),
  };
}

function rateOf(minute: Bucket, app: string): number | undefined {
  return knownSeconds(minute, 60, app) < leastSeconds ? undefined : countOf([minute], denials, app) / 60;
}

function countedSecond(second: Bucket, app: string): CountedSecond {
  if (knownSeconds(second, 1, app) === 0) return undefined;
  return { requests: countOf([second], outcomes, app), denied: countOf([second], denials, app) };
}

/** Of the hour before, this one and the next: traffic rises and falls within an hour. */
async function usualHigh(app: string, now: number): Promise<number | undefined> {
  // The next hour of yesterday and the days before: nothing is known of today's.
  const hours = [now - hourMs, now, now + hourMs - dayMs];
  const found = await Promise.all(hours.map((at) => readUsualOf(app, at)));
  const known = found.flatMap((usual) => (usual ? [usual.denied.high] : []));
  return known.length === 0 ? undefined : Math.max(...known);
}

async function wordsOf(
  app: string,
  perSecond: number,
  now: number,
  minutes: readonly Bucket[],
  seconds: readonly Bucket[],
) {
  const { policy } = await readPolicy(theConsole().redis);
  const [{ clients }, changes] = await Promise.all([readDenied(app, policy, now), readChanges(now)]);
  const latest = minutes.slice(-2);
  const recent = { from: latest[0]?.at ?? now, denied: countOf(latest, denials, app) };
  const facts = { recent, clients };
  const known = minutes.slice(0, -youngestMinutes).flatMap((minute) => rateOf(minute, app) ?? []);
  const change = changes.find(
    ({ at, action }) => at > now - changeMs && /^(policy|blocklist)\./.test(action),
  );
  return attackWords({
    ...{ app, perSecond, before: known.at(-1), change },
    named:
      nameMost(
        facts,
        clients.filter(({ isBlocked }) => !isBlocked),
      ) ?? nameMost(facts, clients),
    rule: worstRule(app, seconds, ruleNames(policy)),
  });
}

/** The rule that denied most in these seconds, or the blocklist. */
function worstRule(
  app: string,
  seconds: readonly Bucket[],
  names: ReturnType<typeof ruleNames>,
): string | undefined {
  const counts = new Map<string, number>([["the blocklist", sumOf(seconds, fields.outcome("blocked"), app)]]);
  for (const { apps } of seconds)
    for (const [text, count] of apps.get(app) ?? []) {
      const field = readField(text, names);
      if (field?.kind !== "denied") continue;
      const rule = `rule ${field.rule}`;
      counts.set(rule, (counts.get(rule) ?? 0) + count);
    }
  const [worst] = [...counts].sort((a, b) => b[1] - a[1]);
  return worst && worst[1] > 0 ? worst[0] : undefined;
}

async function deniedSince(app: string, since: number, now: number): Promise<number | undefined> {
  const count = Math.ceil((now - since) / 60_000) + 1;
  if (count > mostMinutes) return undefined;
  return countOf(await theStatistics().series.read(60, count, now), denials, app);
}
