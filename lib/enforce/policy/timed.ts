import { checkPolicy, type Policy, type Rule } from "./schema.ts";

/** A part of the policy that goes back at a time to what it was. */
export interface End {
  /** A member of the policy; of rules and tiers, one by its name. */
  readonly part: "mode" | "rules" | "tiers" | "defaultTier" | "edge" | "messages" | "attack" | "requestRules";
  readonly name?: string;
  /** By Redis' clock. */
  readonly atMs: number;
  /** What it is from then on. Left out where there was none. */
  readonly back?: unknown;
  /** Where a rule was in the list. */
  readonly place?: number;
  readonly by: string;
  readonly reason: string;
}

/** Attack mode, which ends automatically. */
export interface AttackMode {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** All apps that are enforced, unless given. */
  readonly apps?: readonly string[];
  readonly by: string;
  readonly reason: string;
}

/** What ends at a time, of a policy. */
export interface Timed {
  readonly ends: readonly End[];
  readonly attack?: AttackMode;
}

export const nothingTimed: Timed = { ends: [] };

const parts: ReadonlySet<unknown> = new Set([
  "mode",
  "rules",
  "tiers",
  "defaultTier",
  "edge",
  "messages",
  "attack",
  "requestRules",
]);

/** Reads what any program may have written: what cannot be read is not timed. */
export function readTimed(given: unknown): Timed {
  if (!isRecord(given)) return nothingTimed;
  const ends = Array.isArray(given.ends) ? given.ends.filter(isEnd) : [];
  return isAttack(given.attack) ? { ends, attack: given.attack } : { ends };
}

/** When the next of it ends, by Redis' clock. */
export function nextEnd({ ends, attack }: Timed): number {
  return Math.min(...ends.map(({ atMs }) => atMs), attack?.untilMs ?? Number.POSITIVE_INFINITY);
}

interface Ended {
  readonly policy: Policy;
  /** What has not ended. */
  readonly timed: Timed;
  readonly hasEnded: boolean;
}

/** The policy at a time. What would spoil it does not go back. */
export function afterEnds(policy: Policy, { ends, attack }: Timed, nowMs: number): Ended {
  const ended = ends.filter(({ atMs }) => atMs <= nowMs).sort((one, other) => one.atMs - other.atMs);
  const isOn = attack !== undefined && attack.untilMs > nowMs;
  const timed = { ends: ends.filter(({ atMs }) => atMs > nowMs), ...(isOn && { attack }) };
  const hasEnded = ended.length > 0 || (attack !== undefined && !isOn);
  if (ended.length === 0) return { policy, timed, hasEnded };
  const checked = checkPolicy(ended.reduce(goBack, policy as Members), { isStored: true });
  return { policy: checked.ok ? checked.policy : policy, timed, hasEnded };
}

/** With the rules of attack mode first, for the apps that it is for. */
export function withAttack(policy: Policy, attack: AttackMode | undefined): Policy {
  if (!attack) return policy;
  return { ...policy, rules: [...attackRules(policy, attack.apps), ...policy.rules] };
}

/** What attack mode adds. */
export function attackRules({ attack }: Policy, apps: readonly string[] | undefined): Rule[] {
  return attackSet(attack).flatMap((rule) => {
    if (!apps) return [rule];
    const kept = apps.filter((app) => rule.match.apps?.includes(app) ?? true);
    return kept.length > 0 ? [{ ...rule, match: { ...rule.match, apps: kept } }] : [];
  });
}

/** The set that is prepared, or that of a fresh install. */
export function attackSet(prepared: Policy["attack"]): readonly Rule[] {
  return prepared?.rules ?? freshAttack;
}

/** Half of what `req/ip/1` of a fresh install allows, a minute at a time. */
const freshAttack: readonly Rule[] = Object.freeze([
  {
    name: "attack/ip",
    match: { except: ["/_next/static"], who: "anonymous" },
    client: "ip",
    algorithm: "fixed",
    levels: [{ limit: 30, periodSeconds: 60 }],
    requireBasic: false,
    ipv6Prefix: 64,
    cost: 1,
    slack: 0.1,
    mode: "enforce",
    response: { status: 429 },
    onStoreError: "open",
  } satisfies Rule,
]);

type Members = Readonly<Record<string, unknown>>;

function goBack(policy: Members, { part, name = "", back, place }: End): Members {
  if (part === "rules") return { ...policy, rules: rulesAfter(policy.rules, name, back, place) };
  const { [part]: standing, ...rest } = policy;
  if (part !== "tiers") return back === undefined ? rest : { ...rest, [part]: back };
  const { [name]: _, ...others } = isRecord(standing) ? standing : {};
  return { ...policy, tiers: back === undefined ? others : { ...others, [name]: back } };
}

function rulesAfter(standing: unknown, name: string, back: unknown, place: number | undefined): unknown[] {
  const rules: unknown[] = Array.isArray(standing) ? standing : [];
  const found = rules.findIndex((rule) => isRecord(rule) && rule.name === name);
  const given = back === undefined ? [] : [back];
  return found < 0
    ? rules.toSpliced(place ?? rules.length, 0, ...given)
    : rules.toSpliced(found, 1, ...given);
}

function isEnd(given: unknown): given is End {
  return isRecord(given) && parts.has(given.part) && isTime(given.atMs) && isSigned(given);
}

function isAttack(given: unknown): given is AttackMode {
  if (!isRecord(given) || !isTime(given.sinceMs) || !isTime(given.untilMs) || !isSigned(given)) return false;
  const { apps } = given;
  return apps === undefined || (Array.isArray(apps) && apps.every((app) => typeof app === "string"));
}

const isTime = (given: unknown) => Number.isSafeInteger(given);

function isSigned({ by, reason }: Members): boolean {
  return typeof by === "string" && typeof reason === "string";
}

function isRecord(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}
