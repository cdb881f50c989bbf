import { z } from "zod";
import { parseAcknowledgement } from "../../manage/alarms/acknowledge.ts";
import type { Delivery } from "../../manage/alarms/delivery.ts";
import { alarmKinds } from "../../manage/alarms/kinds.ts";
import type { SentMessage } from "../../manage/alarms/sent-message.ts";
import { readAlarmHistory, readAlarms } from "../../manage/alarms/store.ts";
import { readRequests } from "../../manage/requests/user-request.ts";
import type { AlarmsReply, IncidentRow } from "../../queries/alarms.ts";
import { keys } from "../../redis/keys.ts";
import { theConsole } from "../console.ts";
import { read } from "../read.ts";
import { shared } from "../statistics.ts";
import { alarmSettings } from "./alarm-context.ts";

const freshMs = 900;
const countsFreshMs = 1_900;
const mostShown = 100;

export const getAlarms = read("read", z.object({}), () => shared("alarms", freshMs, readAll));

async function readAll(): Promise<AlarmsReply> {
  const { redis } = theConsole();
  const [stored, history, requests] = await Promise.all([
    readAlarms(redis),
    readAlarmHistory(redis),
    readRequests(redis),
  ]);
  const { destinations, deliveries, conditions, acknowledged, now } = stored;
  const names = new Map(destinations.map(({ id, name }) => [id, name]));
  const all = [...stored.incidents, ...history.ended].sort((a, b) => b.openedAt - a.openedAt);
  const open = all.filter(({ endedAt }) => endedAt === null);
  const ended = all.filter(({ endedAt }) => endedAt !== null).slice(0, mostShown);
  return {
    asOf: now,
    incidents: [...open, ...ended].map(
      ({ id, kind, title, path, lines, leftOut, openedAt, endedAt }): IncidentRow => ({
        ...{ id, kind, title, path, lines, leftOut, openedAt, endedAt },
        acknowledged: parseAcknowledgement(acknowledged.get(id)) ?? null,
        messages: messagesOf(id, history.messages, deliveries, names),
      }),
    ),
    destinations: destinations.map(({ id, name, kind, shown, alarms, isOn }) => {
      const last = history.messages.find(({ destination }) => destination === id);
      return {
        ...{ id, name, kind, shown, alarms, isOn },
        waiting: deliveries.filter((one) => one.destination === id && !one.isDead).length,
        last: last ? { at: last.at, tookMs: last.tookMs, failure: last.failure, tries: last.tries } : null,
      };
    }),
    conditions: alarmKinds.map((kind) => ({ kind, ...conditions[kind] })),
    requests,
    hasMail: alarmSettings().hasMail,
  };
}

/** What arrived, what waits, and what was given up. */
function messagesOf(
  incident: string,
  messages: readonly SentMessage[],
  deliveries: readonly Delivery[],
  names: ReadonlyMap<string, string>,
): IncidentRow["messages"] {
  const name = (id: string) => names.get(id) ?? "a removed destination";
  const queued = deliveries.filter((one) => one.incident.id === incident);
  const dead = new Set(queued.map(({ id }) => id));
  const sent = messages.filter((one) => one.incident === incident && !dead.has(one.id));
  return [
    ...sent.map(({ id, destination, event, at, failure, tries }) => ({
      ...{ id, destination: name(destination), event, at, failure, tries },
      state: failure === null ? ("arrived" as const) : ("given up" as const),
    })),
    ...queued.map(({ id, destination, event, madeAt, failure, tries, isDead }) => ({
      ...{ id, destination: name(destination), event, at: madeAt, failure, tries },
      state: isDead ? ("given up" as const) : ("waiting" as const),
    })),
  ].sort((a, b) => a.at - b.at);
}

/** How many incidents and requests wait for a person. */
export function countWaiting(): Promise<number> {
  return shared("waiting alarms", countsFreshMs, async () => {
    const { redis } = theConsole();
    const [{ incidents, acknowledged }, requests] = await Promise.all([
      readAlarms(redis),
      readOpenRequests(),
    ]);
    const seen = incidents.filter(
      ({ id, endedAt, kind }) => endedAt === null && kind !== "request" && !acknowledged.has(id),
    );
    return seen.length + requests;
  });
}

async function readOpenRequests(): Promise<number> {
  const { redis } = theConsole();
  if ((await redis.exists(keys.requests())) === 0) return 0;
  return (await readRequests(redis)).filter(({ decision }) => !decision).length;
}
