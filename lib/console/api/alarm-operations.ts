import { z } from "zod";
import {
  acknowledgedReply,
  addedDestinationReply,
  alarmMessageReply,
  alarmsReply,
  alarmTestReply,
  changedAlarmReply,
  changedDestinationReply,
  destinationsReply,
  incidentReply,
  incidentsReply,
  sentAgainReply,
} from "../../api/alarm-replies.ts";
import { DomainError } from "../../errors.ts";
import {
  acknowledgeIncident,
  parseAcknowledgement,
  sendAgain,
  testDestination,
} from "../../manage/alarms/acknowledge.ts";
import {
  addDestination,
  changeDestination,
  removeDestination,
} from "../../manage/alarms/change-destination.ts";
import { changeCondition } from "../../manage/alarms/conditions.ts";
import { type Destination, requireDestination } from "../../manage/alarms/destination.ts";
import { findMessage } from "../../manage/alarms/find-message.ts";
import type { Incident } from "../../manage/alarms/incident.ts";
import { alarmKinds, destinationKinds } from "../../manage/alarms/kinds.ts";
import type { SentMessage } from "../../manage/alarms/sent-message.ts";
import { readAlarmHistory, readAlarms } from "../../manage/alarms/store.ts";
import type { Connection } from "../../redis/connect.ts";
import { alarmSettings } from "../alarms/alarm-context.ts";
import { cursor, none, pageOf, pageSize } from "./fields.ts";
import { operation } from "./operation.ts";

const tag = "Alarms";
const reading = { tag, action: "api.read", needs: "read" } as const;
const writing = { tag, needs: "alarms", isWrite: true } as const;
const alarmKind = z.enum(alarmKinds);
const kinds = z.array(alarmKind).min(1).max(alarmKinds.length);
const id = z.string().max(60);
const oneIncident = { params: z.strictObject({ incident: id }), query: none } as const;
const oneDestination = {
  params: z.strictObject({ destination: id.describe("Its id, or its name.") }),
  ...{ query: none, refusals: { 404: "There is no such destination." } },
} as const;
const oneMessage = { params: z.strictObject({ message: id }), query: none } as const;

export const alarmOperations = [
  operation({
    ...{ method: "GET", path: "/incidents", id: "listIncidents", ...reading, reply: incidentsReply },
    summary: "Incidents: what raised alarms, the newest first",
    about: "All that has one cause is one incident. Those that have ended are kept for 30 days, at most 500.",
    params: none,
    query: z.strictObject({
      state: z.enum(["open", "ended", "all"]).default("all"),
      ...{ limit: pageSize(500), cursor },
    }),
    async run({ redis }, { query: { state, limit, cursor } }) {
      const all = (await readIncidents(redis)).filter(
        ({ endedAt }) => state === "all" || (endedAt === null) === (state === "open"),
      );
      const { items, next } = pageOf(all, { limit, cursor });
      return { body: { incidents: items, next } };
    },
  }),
  operation({
    ...{ method: "GET", path: "/incidents/{incident}", id: "getIncident", ...reading, ...oneIncident },
    ...{ reply: incidentReply, refusals: { 404: "There is no such incident any more." } },
    summary: "One incident",
    async run({ redis }, { params: { incident } }) {
      const found = (await readIncidents(redis)).find((one) => one.id === incident);
      if (!found) throw new DomainError("not-found", "There is no such incident any more.");
      return { body: found };
    },
  }),
  operation({
    ...{ method: "POST", path: "/incidents/{incident}/acknowledge", id: "acknowledgeIncident", tag },
    ...{ action: "alarm.acknowledge", needs: "acknowledge", isWrite: true, ...oneIncident },
    ...{ reply: acknowledgedReply, refusals: { 404: "There is no such incident any more." } },
    summary: "Note that an incident was seen",
    about: "No more updates are sent, only that it got worse, and its end.",
    async run(ctx, { params: { incident } }) {
      const { acknowledged } = await acknowledgeIncident(ctx, { id: incident });
      return { body: { id: incident, acknowledged: { ...acknowledged }, dryRun: ctx.isDryRun } };
    },
  }),
  operation({
    ...{ method: "GET", path: "/alarms", id: "listAlarms", ...reading, params: none, query: none },
    ...{ reply: alarmsReply },
    summary: "The kinds of alarms: which are on, and how long each is quiet after a message",
    async run({ redis }) {
      const { conditions } = await readAlarms(redis);
      return { body: { alarms: alarmKinds.map((kind) => alarmBody(kind, conditions[kind])) } };
    },
  }),
  operation({
    ...{ method: "PUT", path: "/alarms/{kind}", id: "changeAlarm", ...writing, action: "alarm.condition" },
    ...{ params: z.strictObject({ kind: alarmKind }), query: none, reply: changedAlarmReply },
    summary: "Switch a kind of alarm on or off, or change its quiet time",
    about: "What is left out stays.",
    body: z.strictObject({
      isOn: z.boolean().optional(),
      quietSeconds: z.number().optional().describe("From a minute to a week."),
    }),
    async run(ctx, { params: { kind }, body: { isOn, quietSeconds } }) {
      const quietMs = quietSeconds === undefined ? undefined : quietSeconds * 1_000;
      const changed = await changeCondition(ctx, { kind, isOn, quietMs });
      return { body: { ...alarmBody(kind, changed), dryRun: ctx.isDryRun } };
    },
  }),
  operation({
    ...{ method: "GET", path: "/alarm-destinations", id: "listAlarmDestinations", ...reading },
    ...{ params: none, query: none, reply: destinationsReply },
    summary: "Where alarms are sent",
    about: "URLs, signing keys and tokens are kept encrypted, and are not shown again.",
    async run({ redis }) {
      const [{ destinations, deliveries }, { messages }] = await Promise.all([
        readAlarms(redis),
        readAlarmHistory(redis),
      ]);
      const body = destinations.map((one) => {
        const queued = deliveries.filter(({ destination }) => destination === one.id);
        const last = messages.find(({ destination }) => destination === one.id);
        const givenUp = queued.filter(({ isDead }) => isDead).length;
        return {
          ...{ ...destinationBody(one), waiting: queued.length - givenUp, givenUp },
          last: last ? lastBody(last) : null,
        };
      });
      return { body: { destinations: body } };
    },
  }),
  operation({
    ...{ method: "POST", path: "/alarm-destinations", id: "addAlarmDestination", ...writing },
    ...{ action: "alarm.add", params: none, query: none, reply: addedDestinationReply },
    summary: "Send alarms to a webhook, Slack, Teams, ntfy or email",
    about:
      "The signing key of a webhook is in this answer alone. An answer that an idempotency key repeats is without it.",
    body: z.strictObject({
      name: z.string().max(200),
      kind: z.enum(destinationKinds),
      to: z.string().max(4_000).describe("A URL; of email, one to ten addresses with commas between."),
      token: z.string().max(400).optional().describe("Access token of ntfy. Never shown again."),
      alarms: kinds.default([...alarmKinds]).describe("Kinds of alarms that it gets. All if left out."),
    }),
    async run(ctx, { body }) {
      const { destination, signingKey } = await addDestination({ ...alarmSettings(), ...ctx }, body);
      return {
        body: { destination: destinationBody(destination), signingKey: null, dryRun: ctx.isDryRun },
        status: ctx.isDryRun ? 200 : 201,
        ...(!ctx.isDryRun && { shownOnce: { signingKey } }),
      };
    },
  }),
  operation({
    ...{ method: "PUT", path: "/alarm-destinations/{destination}", id: "changeAlarmDestination" },
    ...{ ...writing, action: "alarm.change", ...oneDestination, reply: changedDestinationReply },
    summary: "Switch a destination on or off, or choose the alarms that it gets",
    about: "What is left out stays.",
    body: z.strictObject({ isOn: z.boolean().optional(), alarms: kinds.optional() }),
    async run(ctx, { params: { destination }, body }) {
      const changed = await changeDestination(ctx, { id: destination, ...body });
      return { body: { destination: destinationBody(changed), dryRun: ctx.isDryRun } };
    },
  }),
  operation({
    ...{ method: "DELETE", path: "/alarm-destinations/{destination}", id: "removeAlarmDestination" },
    ...{ ...writing, action: "alarm.remove", ...oneDestination, reply: changedDestinationReply },
    summary: "Send no more alarms to a destination, and forget its URL and keys",
    about: "Messages that wait for it are dropped.",
    async run(ctx, { params }) {
      const destination = await requireDestination(ctx.redis, params.destination);
      await removeDestination(ctx, { id: destination.id });
      return { body: { destination: destinationBody(destination), dryRun: ctx.isDryRun } };
    },
  }),
  operation({
    ...{ method: "POST", path: "/alarm-destinations/{destination}/test", id: "testAlarmDestination" },
    ...{ ...writing, action: "alarm.test", ...oneDestination, reply: alarmTestReply },
    summary: "Send a test message to a destination",
    about: "The console that sends alarms sends it. GET /alarm-messages/{message} has the result.",
    async run(ctx, { params }) {
      const { destination, message } = await testDestination(ctx, { id: params.destination });
      const shown = { destination: destinationBody(destination), dryRun: ctx.isDryRun };
      return { body: { ...shown, message: ctx.isDryRun ? null : message } };
    },
  }),
  operation({
    ...{ method: "GET", path: "/alarm-messages/{message}", id: "getAlarmMessage", ...reading, ...oneMessage },
    ...{ reply: alarmMessageReply, refusals: { 404: "There is no such message any more." } },
    summary: "What became of a message",
    async run({ redis }, { params: { message } }) {
      const found = await findMessage(redis, message);
      if (!found) throw new DomainError("not-found", "There is no such message any more.");
      return { body: found };
    },
  }),
  operation({
    ...{ method: "POST", path: "/alarm-messages/{message}/send-again", id: "sendAlarmAgain", ...writing },
    ...{ action: "alarm.resend", ...oneMessage, reply: sentAgainReply },
    ...{ refusals: { 404: "There is no message of this id that was given up." } },
    summary: "Send a message again that was given up",
    async run(ctx, { params: { message } }) {
      await sendAgain(ctx, { id: message });
      return { body: { id: message, dryRun: ctx.isDryRun } };
    },
  }),
];

const iso = (ms: number) => new Date(ms).toISOString();

/** The newest first. */
async function readIncidents(redis: Connection) {
  const [{ incidents, acknowledged }, { ended }] = await Promise.all([
    readAlarms(redis),
    readAlarmHistory(redis),
  ]);
  const all = new Map([...incidents, ...ended].map((one) => [one.id, one]));
  return [...all.values()]
    .sort((a, b) => b.openedAt - a.openedAt || (a.id < b.id ? 1 : -1))
    .map((one) => incidentBody(one, acknowledged.get(one.id)));
}

function incidentBody(incident: Incident, acknowledgement: string | undefined) {
  const { id, kind, title, lines, leftOut, openedAt, endedAt } = incident;
  const acknowledged = parseAcknowledgement(acknowledgement);
  return {
    ...{
      id,
      kind,
      title,
      lines: lines.map(({ at, text }) => ({ at: iso(at), text })),
      linesLeftOut: leftOut,
    },
    ...{ openedAt: iso(openedAt), endedAt: endedAt === null ? null : iso(endedAt) },
    acknowledged: acknowledged ? { ...acknowledged } : null,
  };
}

function destinationBody({ id, name, kind, shown, alarms, isOn }: Destination) {
  return { id, name, kind, shown, alarms: [...alarms], isOn };
}

function lastBody({ at, tookMs, tries, failure }: SentMessage) {
  return { at: iso(at), tookMs, tries, failure };
}

function alarmBody(kind: string, { isOn, quietMs }: { readonly isOn: boolean; readonly quietMs: number }) {
  return { kind, isOn, quietSeconds: quietMs / 1_000 };
}
