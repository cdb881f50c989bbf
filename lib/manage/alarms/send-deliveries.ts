import { DomainError } from "../../errors.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import type { Lease } from "../../redis/lease.ts";
import type { SecretBox } from "../outbound/secret-box.ts";
import { afterFailure, type Delivery, type SendOutcome } from "./delivery.ts";
import { type Destination, type DestinationSecret, parseSecret } from "./destination.ts";
import type { OutgoingMessage } from "./message.ts";
import { messageWrite, type SentMessage } from "./sent-message.ts";
import { type AlarmWrite, deliveryRemoval, deliveryWrite, saveAlarms } from "./store.ts";

/** Brings one message to a destination. */
export type AlarmSender = (
  destination: Destination,
  secret: DestinationSecret,
  message: OutgoingMessage,
) => Promise<SendOutcome>;

export interface SendingContext {
  readonly redis: Connection;
  readonly lease: Lease;
  readonly secrets: SecretBox;
  readonly send: AlarmSender;
  readonly publicUrl: string | undefined;
  /** Ms of Redis' clock. */
  readonly clock: () => Promise<number>;
}

/**
 * Sends a message once. That a try begins is written before it, and its result after it, both only while the lease is ours: after
 * the death of a process, the next one sends the message again and says that it may be a repeat.
 */
export async function sendDelivery(
  ctx: SendingContext,
  delivery: Delivery,
  destination: Destination,
): Promise<void> {
  const begun: Delivery = { ...delivery, tries: delivery.tries + 1, isInDoubt: true };
  if (!(await save(ctx, [deliveryWrite(begun)]))) return;
  const beganAt = performance.now();
  const sentAt = await ctx.clock();
  const outcome = await send(ctx, { ...begun, isInDoubt: delivery.isInDoubt }, destination, sentAt);
  const now = await ctx.clock();
  const tookMs = Math.round(performance.now() - beganAt);
  const after =
    outcome.is === "arrived"
      ? undefined
      : afterFailure({ ...begun, isInDoubt: delivery.isInDoubt }, outcome, now);
  const failure = outcome.is === "failed" ? outcome.failure : null;
  const { event, incident, id } = delivery;
  const message: SentMessage = {
    ...{ id, incident: incident.id, destination: destination.id, event },
    ...{ at: now, tookMs, tries: begun.tries, failure },
  };
  await save(ctx, [
    after ? deliveryWrite(after) : deliveryRemoval(delivery),
    ...(after === undefined || after.isDead ? [messageWrite(message)] : []),
  ]);
}

async function send(
  { redis, secrets, send: bring, publicUrl }: SendingContext,
  delivery: Delivery,
  destination: Destination,
  sentAt: number,
): Promise<SendOutcome> {
  try {
    const text = await redis.hget(keys.alarmSecrets(), destination.id);
    const secret = text === null ? undefined : parseSecret(secrets.decrypt(destination.id, text));
    if (!secret)
      throw new DomainError("not-found", "Its URL is missing. Remove the destination and add it again.");
    return await bring(destination, secret, { delivery, sentAt, publicUrl });
  } catch (error) {
    const failure = error instanceof Error ? error.message.slice(0, 300) : "unknown error";
    return { is: "failed", failure, isRefused: error instanceof DomainError, mayHaveArrived: false };
  }
}

const save = ({ redis, lease }: SendingContext, writes: readonly AlarmWrite[]) =>
  saveAlarms(redis, { lease, writes });
