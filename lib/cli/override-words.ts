import { isPattern } from "../enforce/customers/id.ts";
import { counted } from "../enforce/policy/bounds.ts";
import { sayLevels, saySeconds } from "../enforce/policy/words.ts";
import { plural } from "../observe/doctor/finding.ts";
import type { SharedOverridePreview } from "../observe/overrides/override-effect.ts";
import type { OverrideFacts, ShownOverride } from "./access/override-access.ts";
import { isoOrNull, until } from "./moment.ts";

/** "pattern premium_*" */
export const sayName = (name: string): string => `${isPattern(name) ? "pattern" : "group"} ${name}`;

/** "20,000 per 1 h, those of tier pro" */
export function sayShared({ levels, tier }: Pick<OverrideFacts, "levels" | "tier">): string {
  return levels ? sayLevels(levels) : `limits of tier ${tier}`;
}

/** A row of the list. */
export function sharedRow(one: ShownOverride, now: number): string[] {
  const { name, members, expiresAt, isEnded, isTierKnown } = one;
  const state = isTierKnown ? "" : " NOT ENFORCED: the policy has no such tier";
  return [
    name,
    members ? plural(members.count, "customer") : "by id",
    sayShared(one) + state,
    isEnded ? "ended" : until(expiresAt, now),
    sayUse(one, now),
  ];
}

/** "last used 3 min ago" */
export function sayUse({ usedAt }: Pick<ShownOverride, "usedAt">, now: number): string {
  if (usedAt === undefined) return "last use unknown";
  if (usedAt === null) return "never used";
  const minutes = Math.floor((now - usedAt) / 60_000);
  return minutes < 1 ? "used within a minute" : `last used ${sayMinutes(minutes)} ago`;
}

/** In the largest unit, without a rest: the last use is known to the minute alone. */
function sayMinutes(minutes: number): string {
  const unit = [1_440, 60].find((length) => minutes >= length) ?? 1;
  return saySeconds(60 * unit * Math.floor(minutes / unit));
}

/** What limits would do, line by line. */
export function sayPreview(preview: SharedOverridePreview, name: string): string[] {
  const { customers, overruled, seen, over, overCount, unjudged } = preview;
  const known = isPattern(name) ? "known customers match" : "customers are in the group";
  return [
    `${counted(customers)} ${known}. ${counted(overruled)} of them have an override that wins over it.`,
    `${counted(seen)} of them sent requests in the last hour. ${counted(overCount)} would have been denied.`,
    ...over.map(
      ({ id, peak, limit, periodSeconds }) =>
        `  ${id}: ${counted(peak)} requests in ${saySeconds(periodSeconds)}, of ${counted(limit)}`,
    ),
    ...(unjudged.length > 0
      ? [`Not judged, because its period is longer than an hour: ${sayLevels(unjudged)}.`]
      : []),
  ];
}

export function sharedToJson({ expiresAt, ...one }: OverrideFacts) {
  return { ...one, expiresAt: isoOrNull(expiresAt) };
}
