import { isPattern } from "../../enforce/customers/id.ts";
import { sayLevels } from "../../enforce/policy/words.ts";
import type { AuditRecord } from "../../manage/audit/record.ts";
import { untilWhen } from "../../manage/audit/time-words.ts";
import { parseShared, type SharedOverrideDefinition } from "../../manage/overrides/shared-override.ts";
import { named, type Phrase } from "./pieces.ts";

/** The target is the pattern, or the group's name. */
export function saySharedOverride({ changes: [change], undoes }: AuditRecord): Phrase {
  const name = change?.target ?? "";
  const target: Phrase = [isPattern(name) ? "pattern " : "group ", named(name)];
  const now = parseShared(name, change?.after?.value ?? "");
  if (!now) return [undoes ? "removed again" : "removed", " the override of ", ...target];
  return ["gave ", ...target, undoes ? " again " : " ", ...saySharedTerms(now)];
}

/** "100 per 1 min, until …, 120 customers (+3 / -1)" */
export function saySharedTerms({
  levels,
  tier,
  expiresAt,
  members,
}: Pick<SharedOverrideDefinition, "levels" | "tier" | "expiresAt" | "members">): Phrase {
  const limits: Phrase = levels ? [sayLevels(levels)] : ["the limits of tier ", named(tier ?? "")];
  const end = expiresAt === null ? "" : `, ${untilWhen(new Date(expiresAt).toISOString())}`;
  const count = (value: number) => value.toLocaleString("en-US");
  const of = members
    ? `, ${count(members.count)} ${members.count === 1 ? "customer" : "customers"} (+${count(members.added)} / -${count(members.removed)})`
    : "";
  return [...limits, end + of];
}
