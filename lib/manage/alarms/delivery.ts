import { z } from "zod";
import { parseObject } from "../../parse-object.ts";
import type { Incident, IncidentEvent } from "./incident.ts";

const schema = z.object({
  /** The same each time that the message is sent, so that a receiver finds repeats. */
  id: z.string(),
  destination: z.string(),
  event: z.enum(["opened", "updated", "ended", "test"]),
  /** What the message says, as it was when it was made. */
  incident: z.object({
    id: z.string(),
    kind: z.string(),
    title: z.string(),
    path: z.string(),
    lines: z.array(z.object({ at: z.number(), text: z.string() })),
    leftOut: z.number(),
    openedAt: z.number(),
    endedAt: z.number().nullable(),
  }),
  madeAt: z.number(),
  tries: z.number(),
  /** A try was begun, and it is not known that it failed: the receiver may have the message. */
  isInDoubt: z.boolean(),
  nextAt: z.number(),
  /** It was given up. */
  isDead: z.boolean(),
  /** Of the last try. */
  failure: z.string().nullable(),
});

/** A message for one destination, from when it is made until it has arrived. */
export type Delivery = z.output<typeof schema>;

/** Most messages that wait, and most that were given up and are kept. */
export const mostWaiting = 500;
export const mostDead = 100;

/** Undefined for what Sluice has not written. */
export function parseDelivery(text: string): Delivery | undefined {
  const parsed = schema.safeParse(parseObject(text));
  return parsed.success ? parsed.data : undefined;
}

export interface DeliveryTerms {
  readonly id: string;
  readonly destination: string;
  readonly event: IncidentEvent;
  readonly now: number;
}

export function deliveryOf(incident: Incident, { now, ...terms }: DeliveryTerms): Delivery {
  const { id, kind, title, path, lines, leftOut, openedAt, endedAt } = incident;
  return {
    ...terms,
    incident: { id, kind, title, path, lines, leftOut, openedAt, endedAt },
    ...{ madeAt: now, tries: 0, isInDoubt: false, nextAt: now, isDead: false, failure: null },
  };
}

/** A message that shows whether a destination works. */
export function testDelivery(id: string, destination: string, now: number): Delivery {
  const lines = [{ at: now, text: "If you can read this, the destination works." }];
  return {
    ...{ id, destination, event: "test" },
    incident: {
      ...{ id: `test-${id}`, kind: "test", title: "Test message of Sluice", path: "/alarms", lines },
      ...{ leftOut: 0, openedAt: now, endedAt: null },
    },
    ...{ madeAt: now, tries: 0, isInDoubt: false, nextAt: now, isDead: false, failure: null },
  };
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
/** Rests after the tries that failed: two hours in all. */
const restsMs = [
  ...[secondMs, 5 * secondMs, 15 * secondMs, 30 * secondMs, minuteMs, 2 * minuteMs],
  ...[5 * minuteMs, 10 * minuteMs, 30 * minuteMs, 60 * minuteMs],
];
/** Of a message that the receiver does not accept: four minutes, because some proxies answer 404 while what is behind them is down. */
const mostRefusals = 7;
const longestRestMs = 60 * minuteMs;

/** What became of a try. */
export type SendOutcome =
  | { readonly is: "arrived" }
  | {
      readonly is: "failed";
      readonly failure: string;
      /** The receiver has answered that it does not accept the message. */
      readonly isRefused: boolean;
      /** It is not known that the receiver has not got it. */
      readonly mayHaveArrived: boolean;
      /** It asks for a rest. */
      readonly restMs?: number | undefined;
    };

/** The message after a try that failed: it waits, or is given up. */
export function afterFailure(
  delivery: Delivery,
  { failure, isRefused, mayHaveArrived, restMs = 0 }: Extract<SendOutcome, { is: "failed" }>,
  now: number,
): Delivery {
  const tries = delivery.tries;
  const rest = restsMs[tries - 1];
  // A test answers the person who waits for it.
  const isDead = rest === undefined || (isRefused && tries >= mostRefusals) || delivery.event === "test";
  const nextAt = now + Math.min(longestRestMs, Math.max(rest ?? 0, restMs));
  return { ...delivery, isInDoubt: delivery.isInDoubt || mayHaveArrived, nextAt, isDead, failure };
}

/**
 * What is to be sent now: what waits, in the order in which it was made. A later message of an incident waits until the one before
 * has arrived or was given up.
 */
export function dueDeliveries(all: readonly Delivery[], now: number): Delivery[] {
  const waiting = all.filter(({ isDead }) => !isDead).sort((a, b) => a.madeAt - b.madeAt);
  const first = new Map<string, Delivery>();
  for (const one of waiting) {
    const place = `${one.destination} ${one.incident.id}`;
    if (!first.has(place)) first.set(place, one);
  }
  return [...first.values()].filter(({ nextAt }) => nextAt <= now);
}
