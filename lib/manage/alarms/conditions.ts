import { z } from "zod";
import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { parseObject } from "../../parse-object.ts";
import { keys } from "../../redis/keys.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { type AlarmKind, alarmKinds, kindTerms, longestQuietMs, shortestQuietMs } from "./kinds.ts";

/** Whether a kind of alarm is raised, and how long it is quiet after a message. */
export interface AlarmCondition {
  readonly isOn: boolean;
  readonly quietMs: number;
}

export type AlarmConditions = Readonly<Record<AlarmKind, AlarmCondition>>;

const stored = z.object({ isOn: z.boolean(), quietMs: z.number() });

/** Every kind is on unless it was switched off. */
export function conditionsIn(hash: Readonly<Record<string, string>>): AlarmConditions {
  const of = (kind: AlarmKind): AlarmCondition => {
    const parsed = stored.safeParse(parseObject(hash[kind] ?? ""));
    return parsed.success ? parsed.data : { isOn: true, quietMs: kindTerms[kind].quietMs };
  };
  const all = alarmKinds.map((kind) => [kind, of(kind)] as const);
  // The one cast: fromEntries forgets that every kind is there.
  return Object.fromEntries(all) as Record<AlarmKind, AlarmCondition>;
}

export interface ConditionChange {
  readonly kind: AlarmKind;
  readonly isOn?: boolean | undefined;
  readonly quietMs?: number | undefined;
}

/** Switches a kind of alarm on or off, or changes its quiet time. */
export async function changeCondition(
  ctx: Signed,
  { kind, isOn, quietMs }: ConditionChange,
): Promise<AlarmCondition> {
  if (quietMs !== undefined && !(quietMs >= shortestQuietMs && quietMs <= longestQuietMs))
    throw new DomainError("bad-input", "The quiet time is from 1 min to 1 week.", {
      quiet: "1 min to 1 week",
    });
  const { decision } = await commit(ctx, {
    ...{ action: "alarm.condition", reason: "" },
    slots: [{ key: keys.alarmConditions(), field: kind, target: kind }],
    decide({ slots }) {
      const before = conditionsIn({ [kind]: at(slots, 0).value })[kind];
      const after = { isOn: isOn ?? before.isOn, quietMs: quietMs ?? before.quietMs };
      const isSame = after.isOn === before.isOn && after.quietMs === before.quietMs;
      const writes = isSame ? [] : [{ slot: 0, to: { value: JSON.stringify(after), expiresAt: null } }];
      return { condition: after, writes };
    },
  });
  return decision.condition;
}
