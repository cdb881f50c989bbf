import type * as z from "zod/mini";
import {
  acknowledgedReply,
  addedDestinationReply,
  alarmMessageReply,
  alarmsReply,
  alarmTestReply,
  changedAlarmReply,
  changedDestinationReply,
  destinationsReply,
  incidentsReply,
} from "../../api/alarm-replies.ts";
import type { Environment } from "../../env.ts";
import { DomainError } from "../../errors.ts";
import {
  type Acknowledgement,
  acknowledgeIncident,
  testDestination,
} from "../../manage/alarms/acknowledge.ts";
import { alarmSecrets } from "../../manage/alarms/alarm-secrets.ts";
import {
  addDestination,
  changeDestination,
  type DestinationChange,
  type NewDestination,
  removeDestination,
} from "../../manage/alarms/change-destination.ts";
import {
  type AlarmCondition,
  type ConditionChange,
  changeCondition,
} from "../../manage/alarms/conditions.ts";
import { findMessage } from "../../manage/alarms/find-message.ts";
import { readAlarmHistory, readAlarms } from "../../manage/alarms/store.ts";
import type { CommandSession, WritingSession } from "../session.ts";
import { type ApiSettings, askApi } from "./api-client.ts";

export interface AlarmReads {
  readAlarms(): Promise<AlarmsRead>;
}

export interface AlarmWrites {
  addDestination(
    given: NewDestination,
  ): Promise<{ readonly destination: DestinationFacts; readonly signingKey: string | null }>;
  changeDestination(input: DestinationChange & { readonly id: string }): Promise<DestinationFacts>;
  removeDestination(input: { readonly id: string }): Promise<void>;
  /** Queues a message, whose result is found by its id. */
  testDestination(input: {
    readonly id: string;
  }): Promise<{ readonly message: string; readonly destination: DestinationFacts }>;
  /** Undefined while it waits. */
  findResult(message: string): Promise<MessageResult | undefined>;
  changeCondition(input: ConditionChange): Promise<AlarmCondition>;
  acknowledgeIncident(input: { readonly id: string }): Promise<{ readonly acknowledged: Acknowledgement }>;
}

interface MessageResult {
  /** Null for one that arrived. */
  readonly failure: string | null;
  readonly tookMs: number;
}

/** A destination, as far as commands show it. */
export interface DestinationFacts {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly shown: string;
  readonly alarms: readonly string[];
  readonly isOn: boolean;
}

interface ListedDestination extends DestinationFacts {
  /** Its last message. */
  readonly last: { readonly at: number; readonly failure: string | null } | undefined;
}

export interface AlarmsRead {
  /** Open incidents. */
  readonly incidents: readonly { readonly id: string; readonly title: string; readonly openedAt: number }[];
  readonly destinations: readonly ListedDestination[];
  /** By kind. */
  readonly conditions: Readonly<Record<string, AlarmCondition>>;
  readonly givenUp: number;
  /** For --json. */
  readonly json: object;
}

export function redisAlarmReads({ redis }: CommandSession): AlarmReads {
  return {
    async readAlarms() {
      const [stored, { messages }] = await Promise.all([readAlarms(redis), readAlarmHistory(redis)]);
      const { destinations, conditions, deliveries } = stored;
      const incidents = stored.incidents.filter(({ endedAt }) => endedAt === null);
      const givenUp = deliveries.filter(({ isDead }) => isDead).length;
      const listed = destinations.map((one) => ({
        ...one,
        last: messages.find(({ destination }) => destination === one.id),
      }));
      const json = { incidents, destinations, conditions, givenUp };
      return { incidents, destinations: listed, conditions, givenUp, json };
    },
  };
}

export function redisAlarmWrites({ context, redis }: WritingSession, environment: Environment): AlarmWrites {
  const { secret = "", alarmsToPrivate: allowsPrivate = false } = environment;
  return {
    addDestination: (given) =>
      // The console that sends knows its mail server.
      addDestination({ ...context, secrets: alarmSecrets(secret), allowsPrivate, hasMail: true }, given),
    changeDestination: (input) => changeDestination(context, input),
    removeDestination: (input) => removeDestination(context, input),
    testDestination: (input) => testDestination(context, input),
    findResult: async (message) => resultOf(await findMessage(redis, message)),
    changeCondition: (input) => changeCondition(context, input),
    acknowledgeIncident: (input) => acknowledgeIncident(context, input),
  };
}

interface MessageFacts {
  readonly state: "waiting" | "arrived" | "given up";
  readonly tookMs: number | null;
  readonly failure: string | null;
}

function resultOf(found: MessageFacts | undefined): MessageResult | undefined {
  if (!found || found.state === "waiting") return undefined;
  const failure = found.state === "arrived" ? null : (found.failure ?? "it was given up");
  return { failure, tookMs: found.tookMs ?? 0 };
}

const mostIncidents = "500";

export function apiAlarms(api: ApiSettings): AlarmReads & AlarmWrites {
  const root = "/alarm-destinations";
  const pathOf = (named: string) => `${root}/${encodeURIComponent(named)}`;
  return {
    async readAlarms() {
      const query = { state: "open", limit: mostIncidents };
      const [{ incidents }, { destinations }, { alarms }] = await Promise.all([
        askApi(api, { method: "GET", path: "/incidents", query, reply: incidentsReply }),
        askApi(api, { method: "GET", path: root, reply: destinationsReply }),
        askApi(api, { method: "GET", path: "/alarms", reply: alarmsReply }),
      ]);
      return {
        incidents: incidents.map((one) => ({ ...one, openedAt: Date.parse(one.openedAt) })),
        destinations: destinations.map(listedOf),
        conditions: Object.fromEntries(alarms.map((one) => [one.kind, conditionOf(one)])),
        givenUp: destinations.reduce((sum, { givenUp }) => sum + givenUp, 0),
        json: { incidents, destinations, alarms },
      };
    },
    addDestination: (body) => askApi(api, { method: "POST", path: root, body, reply: addedDestinationReply }),
    async changeDestination({ id, ...body }) {
      const reply = changedDestinationReply;
      return (await askApi(api, { method: "PUT", path: pathOf(id), body, reply })).destination;
    },
    async removeDestination({ id }) {
      await askApi(api, { method: "DELETE", path: pathOf(id), reply: changedDestinationReply });
    },
    async testDestination({ id }) {
      const path = `${pathOf(id)}/test`;
      const { message, destination } = await askApi(api, { method: "POST", path, reply: alarmTestReply });
      return { message: message ?? "", destination };
    },
    async findResult(message) {
      const path = `/alarm-messages/${encodeURIComponent(message)}`;
      try {
        return resultOf(await askApi(api, { method: "GET", path, reply: alarmMessageReply }));
      } catch (error) {
        if (error instanceof DomainError && error.code === "not-found") return undefined;
        throw error;
      }
    },
    async changeCondition({ kind, isOn, quietMs }) {
      const body = { isOn, ...(quietMs !== undefined && { quietSeconds: quietMs / 1_000 }) };
      const path = `/alarms/${kind}`;
      return conditionOf(await askApi(api, { method: "PUT", path, body, reply: changedAlarmReply }));
    },
    acknowledgeIncident: ({ id }) =>
      askApi(api, {
        ...{ method: "POST", path: `/incidents/${encodeURIComponent(id)}/acknowledge` },
        reply: acknowledgedReply,
      }),
  };
}

function listedOf(one: z.output<typeof destinationsReply>["destinations"][number]): ListedDestination {
  const { last } = one;
  return { ...one, last: last ? { at: Date.parse(last.at), failure: last.failure } : undefined };
}

function conditionOf({ isOn, quietSeconds }: z.output<typeof alarmsReply>["alarms"][number]): AlarmCondition {
  return { isOn, quietMs: quietSeconds * 1_000 };
}
