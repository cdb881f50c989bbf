import { isPattern } from "../../enforce/customers/id.ts";
import { readMembers } from "../../enforce/customers/stored-limits.ts";
import { type Level, requireLevels } from "../../enforce/policy/levels.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { changeMembers, type MembersChange, membersOf } from "../../manage/overrides/members.ts";
import { readShared } from "../../manage/overrides/shared-override.ts";
import { previewSharedOverride, type SharedOverridePreview } from "./override-effect.ts";

/** What is to change of an override of a group or pattern. What is undefined stays. */
export interface WantedOverride {
  readonly name: string;
  readonly levels?: readonly Level[] | undefined;
  readonly tier?: string | undefined;
  readonly members?: MembersChange | undefined;
}

/** What saving would do. Writes nothing. */
export async function previewChange(
  source: Parameters<typeof previewSharedOverride>[0],
  { name, levels, tier, members }: WantedOverride,
  nowMs: number,
): Promise<SharedOverridePreview> {
  const { redis } = source;
  const [all, { policy }] = await Promise.all([readShared(redis), readPolicy(redis)]);
  const before = all.find((one) => one.name === name);
  const wantedTier = tier ?? (levels ? undefined : before?.tier);
  const ofTier = wantedTier === undefined ? undefined : policy.tiers[wantedTier]?.levels;
  const wanted = (levels && requireLevels(levels)) ?? ofTier ?? before?.levels ?? [];
  const ids = before ? await membersOf(redis, before) : [];
  const after = isPattern(name) ? [] : readMembers(changeMembers(ids, members ?? {}).text);
  return previewSharedOverride(source, { name, levels: wanted, members: after }, nowMs);
}
