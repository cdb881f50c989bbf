import { z } from "zod";
import { at } from "../../at.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { checkReason } from "../audit/checks.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";

const schema = z.object({
  isOn: z.boolean(),
  by: z.string(),
  /** ISO */
  at: z.string(),
  reason: z.string(),
});

/** Whether the edge limits clients, and the last person that switched it. */
export interface EdgeSwitch {
  readonly isOn: boolean;
  /** Undefined before the first switch. */
  readonly by?: string;
  readonly at?: string;
  readonly reason?: string;
}

export const switchSlot = { key: keys.edgeSwitch(), target: "edge" } as const;

/** Switches limiting at every edge on or off. Off empties every dictionary. */
export async function switchEdge(
  ctx: Signed,
  { isOn, reason }: { readonly isOn: boolean; readonly reason: string },
): Promise<{ readonly hasChanged: boolean }> {
  checkReason(reason);
  const { decision } = await commit(ctx, {
    action: isOn ? "edge.on" : "edge.off",
    reason,
    slots: [switchSlot],
    decide({ now, slots }) {
      if (readSwitch(at(slots, 0).value).isOn === isOn) return { writes: [] };
      const value = JSON.stringify({
        isOn,
        by: ctx.actor.name,
        at: new Date(now).toISOString(),
        reason,
      } satisfies EdgeSwitch);
      return { writes: [{ slot: 0, to: { value, expiresAt: null } }] };
    },
  });
  return { hasChanged: decision.writes.length > 0 };
}

export async function findSwitch(redis: Connection): Promise<EdgeSwitch> {
  return readSwitch(await redis.get(keys.edgeSwitch()));
}

/** On unless it was switched off. */
export function readSwitch(text: string | null | undefined): EdgeSwitch {
  try {
    return schema.parse(JSON.parse(text ?? ""));
  } catch {
    return { isOn: true };
  }
}
