import * as z from "zod/mini";

const count = z.int();
const iso = z.string();
const orNull = <T extends z.ZodMiniType>(schema: T) => z.nullable(schema);
const dryRun = z.boolean();

export const incidentReply = z.object({
  id: z.string(),
  /** Of the alarm: "attack", "ban", … */
  kind: z.string(),
  title: z.string(),
  /** What happened, the newest last. */
  lines: z.array(z.object({ at: iso, text: z.string() })),
  /** Lines that are not kept. */
  linesLeftOut: count,
  openedAt: iso,
  /** Null while it is open. */
  endedAt: orNull(iso),
  /** The user or token that has seen it. */
  acknowledged: orNull(z.object({ by: z.string(), at: iso })),
});

export const incidentsReply = z.object({
  incidents: z.array(incidentReply),
  /** For the next page. Null on the last one. */
  next: orNull(z.string()),
});

export const acknowledgedReply = z.object({
  id: z.string(),
  acknowledged: z.object({ by: z.string(), at: iso }),
  dryRun,
});

const destination = {
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  /** What is shown of its URL, or the email addresses. */
  shown: z.string(),
  /** Kinds of alarms that it gets. */
  alarms: z.array(z.string()),
  isOn: z.boolean(),
};

export const destinationsReply = z.object({
  destinations: z.array(
    z.object({
      ...destination,
      /** Messages that wait, and those that were given up. */
      ...{ waiting: count, givenUp: count },
      /** The last message. `failure` says why it was given up: null for one that arrived. */
      last: orNull(z.object({ at: iso, tookMs: z.number(), tries: count, failure: orNull(z.string()) })),
    }),
  ),
});

export const addedDestinationReply = z.object({
  destination: z.object(destination),
  /** Of a webhook. Null for other kinds, in a dry run, and where an idempotency key repeats the answer. */
  signingKey: orNull(z.string()),
  dryRun,
});

export const changedDestinationReply = z.object({ destination: z.object(destination), dryRun });

export const alarmTestReply = z.object({
  destination: z.object(destination),
  /** By which its result is found. Null in a dry run. */
  message: orNull(z.string()),
  dryRun,
});

export const alarmMessageReply = z.object({
  id: z.string(),
  state: z.enum(["waiting", "arrived", "given up"]),
  event: z.string(),
  /** Id of its destination. */
  destination: z.string(),
  tries: count,
  /** Of the try that arrived, or was the last one. Null while it waits. */
  tookMs: orNull(z.number()),
  /** Of the last try. */
  failure: orNull(z.string()),
});

export const sentAgainReply = z.object({ id: z.string(), dryRun });

const alarm = { kind: z.string(), isOn: z.boolean(), quietSeconds: z.number() };

export const alarmsReply = z.object({ alarms: z.array(z.object(alarm)) });

export const changedAlarmReply = z.object({ ...alarm, dryRun });

const userRequest = {
  id: z.string(),
  kind: z.enum(["block", "unblock", "change"]),
  /** An address or a range; of a change also what else it is about. */
  target: z.string(),
  /** Of a block: how long the entry lasts. */
  ttlSeconds: orNull(z.number()),
  reason: z.string(),
  by: z.string(),
  /** Of the user; "token" or "cli". */
  role: z.string(),
  at: iso,
  /** Null while it is open. */
  decision: orNull(
    z.object({ is: z.enum(["confirmed", "declined"]), by: z.string(), at: iso, word: z.string() }),
  ),
};

export const requestReply = z.object(userRequest);
export const requestsReply = z.object({ requests: z.array(requestReply), next: orNull(z.string()) });
export const madeRequestReply = z.object({ request: requestReply, dryRun });
export const decidedRequestReply = z.object({
  request: requestReply,
  /** Of the entry. Null if nodes hold nothing of it. */
  change: orNull(count),
  dryRun,
});
