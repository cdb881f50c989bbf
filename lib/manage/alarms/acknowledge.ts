import { randomBytes } from "node:crypto";
import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { parseObject } from "../../parse-object.ts";
import { keys } from "../../redis/keys.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { mostWaiting, parseDelivery, testDelivery } from "./delivery.ts";
import { type Destination, requireDestination } from "./destination.ts";
import { parseIncident } from "./incident.ts";

/** The person who has seen an incident. */
export interface Acknowledgement {
  readonly by: string;
  /** ISO */
  readonly at: string;
}

/** Undefined for what Sluice has not written. */
export function parseAcknowledgement(text: string | undefined): Acknowledgement | undefined {
  const { by, at } = parseObject(text ?? "") ?? {};
  return typeof by === "string" && typeof at === "string" ? { by, at } : undefined;
}

/** Notes that a person has seen an incident: no more updates are sent, only that it got worse, and its end. */
export async function acknowledgeIncident(
  ctx: Signed,
  { id }: { readonly id: string },
): Promise<{ readonly acknowledged: Acknowledgement }> {
  const { decision } = await commit(ctx, {
    ...{ action: "alarm.acknowledge", reason: "" },
    slots: [{ key: keys.alarmAcknowledged(), field: id, target: id }],
    hashes: [keys.alarmIncidents(), keys.alarmEnded()],
    decide({ now, slots, hashes }) {
      const before = parseAcknowledgement(at(slots, 0).value);
      if (before) return { acknowledged: before, writes: [] };
      if (!parseIncident(at(hashes, 0).get(id) ?? at(hashes, 1).get(id) ?? ""))
        throw new DomainError("not-found", "There is no such incident any more.");
      const acknowledged = { by: ctx.actor.name, at: new Date(now).toISOString() };
      return {
        acknowledged,
        writes: [{ slot: 0, to: { value: JSON.stringify(acknowledged), expiresAt: null } }],
      };
    },
  });
  return { acknowledged: decision.acknowledged };
}

/** Queues a test message. Returns its id, by which its result is found. */
export async function testDestination(
  ctx: Signed,
  { id: named }: { readonly id: string },
): Promise<{ readonly message: string; readonly destination: Destination }> {
  const destination = await requireDestination(ctx.redis, named);
  const message = randomBytes(9).toString("base64url");
  await commit(ctx, {
    ...{ action: "alarm.test", reason: "" },
    slots: [{ key: keys.alarmDeliveries(), field: message, target: destination.name }],
    hashes: [keys.alarmDeliveries()],
    decide({ now, hashes }) {
      if (at(hashes, 0).size >= mostWaiting)
        throw new DomainError("too-busy", `${mostWaiting} messages wait already. Try again later.`);
      const value = JSON.stringify(testDelivery(message, destination.id, now));
      return { writes: [{ slot: 0, to: { value, expiresAt: null } }] };
    },
  });
  return { message, destination };
}

/** Sends a message again that was given up. */
export async function sendAgain(ctx: Signed, { id }: { readonly id: string }): Promise<void> {
  await commit(ctx, {
    ...{ action: "alarm.resend", reason: "" },
    slots: [{ key: keys.alarmDeliveries(), field: id, target: id }],
    decide({ now, slots }) {
      const found = parseDelivery(at(slots, 0).value);
      if (!found?.isDead) throw new DomainError("not-found", "This message does not wait to be sent again.");
      const again = { ...found, isDead: false, tries: 0, nextAt: now };
      return { writes: [{ slot: 0, to: { value: JSON.stringify(again), expiresAt: null } }] };
    },
  });
}
