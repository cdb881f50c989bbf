import type { DeniedBlock } from "../../observe/catalogue/denied-blocks.ts";
import { parseObject } from "../../parse-object.ts";

/** What a bouncer enforces, as Redis holds it. */
export interface Decision {
  /** Ms of Redis' clock. */
  readonly endsAt: number;
  /** Who decided: a person or program that wrote the entry, or a rule that banned. */
  readonly origin: Origin;
  /** Why: the entry's reason. */
  readonly scenario: string;
  /** When bouncers get it again, because some keep the end that they got first. 0: not again. */
  readonly againAt: number;
}

export const origins = ["sluice", "sluice-ban"] as const;
export type Origin = (typeof origins)[number];

const longestScenario = 200;
const day = 86_400_000;
/** No kernel keeps an address longer than 24.8 days (ipset). What lasts longer is sent again in time. */
const longestMs = 20 * day;
const renewBeforeMs = 7 * day;
/** The same end, read twice by different processes, differs by the time on the way. */
const sameEndMs = 5_000;

/** A process of an earlier or later version may have written it. */
export function readDecision(text: string): Decision {
  const { endsAt, origin, scenario, againAt } = parseObject(text) ?? {};
  return {
    endsAt: Number(endsAt) || 0,
    origin: origins.find((one) => one === origin) ?? "sluice",
    scenario: String(scenario ?? ""),
    againAt: Number(againAt) || 0,
  };
}

/** The decision that bouncers are to have of a block: the known one where nothing differs. */
export function decisionOf(denied: DeniedBlock, known: Decision | undefined, now: number): Decision {
  const origin = denied.via?.startsWith("auto:") ? "sluice-ban" : "sluice";
  const scenario = scenarioOf(denied.reason);
  const endsAt = endOf(denied.endsAt, known, now);
  const isSameEnd = known !== undefined && Math.abs(known.endsAt - endsAt) < sameEndMs;
  const isDue = known !== undefined && known.againAt !== 0 && known.againAt <= now;
  if (isSameEnd && !isDue && known.origin === origin && known.scenario === scenario) return known;
  return {
    endsAt: isSameEnd ? known.endsAt : endsAt,
    origin,
    scenario,
    againAt: againOf(endsAt, known, now),
  };
}

/** When it has to be looked at again although nothing changes. */
export function nextLookAt({ endsAt, againAt }: Decision, deniedUntil: number): number {
  const renewAt = deniedUntil - endsAt < sameEndMs ? endsAt : endsAt - renewBeforeMs;
  return againAt === 0 ? renewAt : Math.min(renewAt, againAt);
}

function endOf(until: number, known: Decision | undefined, now: number): number {
  if (until <= now + longestMs) return Math.round(until);
  const isLongEnough = known !== undefined && known.endsAt > now + renewBeforeMs && known.endsAt <= until;
  return isLongEnough ? known.endsAt : now + longestMs;
}

/** The first end that bouncers got and that is still to come, if the new one is later. */
function againOf(endsAt: number, known: Decision | undefined, now: number): number {
  if (!known) return 0;
  const first = known.againAt > now ? known.againAt : known.endsAt;
  return first > now && endsAt - first >= sameEndMs ? first : 0;
}

/** Bouncers hand it to other programs. */
function scenarioOf(reason: string): string {
  return (
    reason
      .replace(/\p{Cc}/gu, " ")
      .trim()
      .slice(0, longestScenario) || "blocklist"
  );
}
