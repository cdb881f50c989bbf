import { isDeepStrictEqual } from "node:util";
import type { Policy } from "../../enforce/policy/schema.ts";
import { afterEnds, type End, type Timed } from "../../enforce/policy/timed.ts";
import { DomainError } from "../../errors.ts";
import { sayMoment } from "../audit/time-words.ts";

/** When a change ends, and who made it. */
export type TimedBy = Pick<End, "atMs" | "by" | "reason">;

type ChangedPart = Pick<End, "part" | "name">;

const whole = ["mode", "defaultTier", "edge", "messages", "attack", "requestRules"] as const;

/**
 * What ends at a time once a policy is saved. An end stays as long as its part stays as it is: who changes that part decides again.
 * With an ending, each part that the change touches goes back to what it is without any that ends; a mode that ends already gets
 * the new end.
 */
export function timedAfter(standing: Timed, from: Policy, to: Policy, ending: TimedBy | undefined): Timed {
  const changed = changedParts(from, to);
  const isSame = (one: ChangedPart, other: ChangedPart) => one.part === other.part && one.name === other.name;
  const kept = standing.ends
    .filter((end) => !changed.some((part) => isSame(part, end)))
    .map((end) => (ending && changed.length === 0 && end.part === "mode" ? { ...end, ...ending } : end));
  const lasting = afterEnds(from, standing, Number.POSITIVE_INFINITY).policy;
  const added = ending ? changed.flatMap((part) => endOf(part, lasting, to, ending)) : [];
  return { ...standing, ends: [...kept, ...added] };
}

function endOf({ part, name }: ChangedPart, lasting: Policy, to: Policy, ending: TimedBy): End[] {
  const back = partOf(lasting, part, name);
  if (isDeepStrictEqual(back, partOf(to, part, name))) return [];
  const place = part === "rules" ? lasting.rules.findIndex((rule) => rule.name === name) : -1;
  return [
    {
      part,
      ...(name !== undefined && { name }),
      ...ending,
      ...(back !== undefined && { back }),
      ...(place >= 0 && { place }),
    },
  ];
}

/** Mode, rules and tiers by their names, and the rest as wholes. The order of rules has no end. */
export function changedParts(from: Policy, to: Policy): ChangedPart[] {
  const isChanged = ({ part, name }: ChangedPart) =>
    !isDeepStrictEqual(partOf(from, part, name), partOf(to, part, name));
  const rules = [...from.rules, ...to.rules].map(({ name }) => name);
  const tiers = [...Object.keys(from.tiers), ...Object.keys(to.tiers)];
  return [
    ...whole.map((part) => ({ part })),
    ...[...new Set(rules)].map((name) => ({ part: "rules" as const, name })),
    ...[...new Set(tiers)].map((name) => ({ part: "tiers" as const, name })),
  ].filter(isChanged);
}

function partOf(policy: Policy, part: End["part"], name = ""): unknown {
  if (part === "rules") return policy.rules.find((rule) => rule.name === name);
  if (part === "tiers") return Object.hasOwn(policy.tiers, name) ? policy.tiers[name] : undefined;
  return policy[part];
}

/** Throws where the policy could not be enforced once something has ended. */
export function requireGoodEnds(policy: Policy, timed: Timed): void {
  for (const { part, name, atMs } of timed.ends) {
    const { policy: after } = afterEnds(policy, timed, atMs);
    if (after !== policy) continue;
    const what = name === undefined ? part : `${part === "rules" ? "rule" : "tier"} ${name}`;
    throw new DomainError(
      "bad-input",
      `The policy was not saved: ${what} goes back to what it was at ${sayMoment(new Date(atMs).toISOString())}, and the rest of the policy would not fit it then. Let both end, or neither.`,
    );
  }
}
