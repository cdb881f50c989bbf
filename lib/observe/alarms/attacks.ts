import type { Happening } from "../../manage/alarms/happening.ts";
import {
  type AppRates,
  beginOf,
  continued,
  endOf,
  type OngoingAttack,
  parseAttacks,
} from "./attack-detector.ts";

export interface AttackView {
  /** Ms of Redis' clock. */
  readonly now: number;
  /** By app. */
  readonly rates: ReadonlyMap<string, AppRates>;
  /** Called once when an attack begins. */
  readonly wordsOf: (
    app: string,
    perSecond: number,
  ) => Promise<{ readonly title: string; readonly text: string }>;
  /** Called once when it ends. Undefined if it is unknown. */
  readonly deniedSince: (app: string, since: number) => Promise<number | undefined>;
}

export interface FoundAttacks {
  readonly states: readonly Happening[];
  readonly ends: ReadonlyMap<string, string>;
  /** What to remember until the next pass: JSON. */
  readonly memory: string;
}

const causeOf = (app: string) => `attack ${app}`;

/** The attacks that go on now, and how others have ended. @param memory of the pass before */
export async function findAttacks(memory: string | undefined, view: AttackView): Promise<FoundAttacks> {
  const { now, rates, deniedSince } = view;
  const ongoing = parseAttacks(memory);
  const ends = new Map<string, string>();
  for (const [app, attack] of ongoing) {
    const found = rates.get(app);
    const after = found ? continued(attack, found, now) : attack;
    const end = endOf(after, now);
    if (end === undefined) ongoing.set(app, after);
    else {
      ongoing.delete(app);
      ends.set(causeOf(app), `${end}${deniedText(await deniedSince(app, attack.since))}`);
    }
  }
  for (const [app, found] of rates) {
    const begin = ongoing.has(app) ? undefined : beginOf(found);
    if (begin) ongoing.set(app, await begun(app, begin, view));
  }
  const states = [...ongoing].map(([app, attack]) => stateOf(app, attack));
  return { states, ends, memory: JSON.stringify(Object.fromEntries(ongoing)) };
}

async function begun(
  app: string,
  { perSecond, threshold }: { readonly perSecond: number; readonly threshold: number },
  { now, wordsOf }: AttackView,
): Promise<OngoingAttack> {
  return { since: now, threshold, calmSince: null, knownAt: now, ...(await wordsOf(app, perSecond)) };
}

function stateOf(app: string, { since, title, text }: OngoingAttack): Happening {
  const path = `/offenders?app=${encodeURIComponent(app)}`;
  return { kind: "attack", cause: causeOf(app), title, text, path, at: since };
}

const deniedText = (denied: number | undefined): string =>
  denied === undefined ? "" : `. ${denied.toLocaleString("en-US")} requests were denied`;
