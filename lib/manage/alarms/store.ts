import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import type { Lease } from "../../redis/lease.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript, repliesOf } from "../../redis/script.ts";
import { type AlarmConditions, conditionsIn } from "./conditions.ts";
import { type Delivery, mostDead, parseDelivery } from "./delivery.ts";
import { type Destination, destinationsIn } from "./destination.ts";
import { type Incident, parseIncident } from "./incident.ts";
import { mostMessages, parseMessage, type SentMessage } from "./sent-message.ts";

/** What a pass reads. */
export interface StoredAlarms {
  /** Open ones, and those that may open again. */
  readonly incidents: readonly Incident[];
  readonly deliveries: readonly Delivery[];
  readonly destinations: readonly Destination[];
  readonly conditions: AlarmConditions;
  /** By id of the incident: JSON. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** What observers remember, by their name: JSON. */
  readonly memory: ReadonlyMap<string, string>;
  /** Ms of Redis' clock. */
  readonly now: number;
}

export async function readAlarms(redis: Connection): Promise<StoredAlarms> {
  const pipeline = redis.pipeline();
  pipeline.time();
  const hashKeys = [keys.alarmIncidents(), keys.alarmDeliveries(), keys.alarmDestinations()];
  const others = [keys.alarmConditions(), keys.alarmAcknowledged(), keys.alarmMemory()];
  for (const key of [...hashKeys, ...others]) pipeline.hgetall(key);
  const [time, ...hashes] = await repliesOf(pipeline);
  const [seconds, micros] = time as [string, string];
  const [incidents = {}, deliveries = {}, destinations = {}, ...more] = hashes as Record<string, string>[];
  const [conditions = {}, acknowledged = {}, memory = {}] = more;
  return {
    incidents: Object.values(incidents).flatMap((text) => parseIncident(text) ?? []),
    deliveries: Object.values(deliveries).flatMap((text) => parseDelivery(text) ?? []),
    destinations: destinationsIn(Object.entries(destinations)),
    conditions: conditionsIn(conditions),
    acknowledged: new Map(Object.entries(acknowledged)),
    memory: new Map(Object.entries(memory)),
    now: Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000),
  };
}

/** What is over. */
export interface AlarmHistory {
  readonly ended: readonly Incident[];
  /** Messages that have arrived, or were given up, the newest first. */
  readonly messages: readonly SentMessage[];
}

export async function readAlarmHistory(redis: Connection): Promise<AlarmHistory> {
  const [ended, messages] = await Promise.all([
    redis.hgetall(keys.alarmEnded()),
    redis.hgetall(keys.alarmMessages()),
  ]);
  return {
    ended: Object.values(ended).flatMap((text) => parseIncident(text) ?? []),
    messages: Object.entries(messages)
      .flatMap(([id, text]) => parseMessage(id, text) ?? [])
      .sort((a, b) => b.at - a.at),
  };
}

/** A field of one of the hashes, and its new value. Null removes it. */
export interface AlarmWrite {
  readonly key: string;
  readonly field: string;
  readonly value: string | null;
}

interface SaveRequest {
  readonly lease: Lease;
  readonly writes: readonly AlarmWrite[];
}

const script = defineScript({
  lua: lua.saveAlarms,
  keys: ({ lease, writes }: SaveRequest) => [keys.lease(lease.name), ...writes.map(({ key }) => key)],
  args: ({ lease, writes }) => [
    lease.holder,
    ...writes.flatMap(({ field, value }) => [field, value === null ? "0" : "1", value ?? ""]),
  ],
  reply: (isSaved: number) => isSaved === 1,
});

/** Saves all of it in one step, if the lease is still ours. */
export async function saveAlarms(redis: Connection, request: SaveRequest): Promise<boolean> {
  return request.writes.length === 0 || script.run(redis, request);
}

export const incidentWrite = (incident: Incident): AlarmWrite => ({
  ...{ key: keys.alarmIncidents(), field: incident.id },
  value: JSON.stringify(incident),
});

export const deliveryWrite = (delivery: Delivery): AlarmWrite => ({
  ...{ key: keys.alarmDeliveries(), field: delivery.id },
  value: JSON.stringify(delivery),
});

export const deliveryRemoval = ({ id }: Pick<Delivery, "id">): AlarmWrite => ({
  ...{ key: keys.alarmDeliveries(), field: id },
  value: null,
});

const keptMs = 30 * 86_400_000;
const mostIncidents = 500;

/** Puts incidents that cannot open again with those that have ended. */
export function archiving({ incidents, now }: Pick<StoredAlarms, "incidents" | "now">): AlarmWrite[] {
  return incidents
    .filter(({ endedAt, quietUntil }) => endedAt !== null && now >= quietUntil)
    .flatMap((incident) => [
      { key: keys.alarmIncidents(), field: incident.id, value: null },
      { key: keys.alarmEnded(), field: incident.id, value: JSON.stringify(incident) },
    ]);
}

/** Drops what is old: incidents, messages, those that were given up, and all that waits for a removed destination. */
export function cleaning(stored: StoredAlarms, { ended, messages }: AlarmHistory): AlarmWrite[] {
  const { incidents, deliveries, destinations, acknowledged, now } = stored;
  const newest = ended.toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
  const old = newest.filter(({ endedAt }, i) => i >= mostIncidents || (endedAt ?? 0) < now - keptMs);
  const gone = new Set(old.map(({ id }) => id));
  const known = new Set([...incidents, ...ended].map(({ id }) => id).filter((id) => !gone.has(id)));
  const isOrphan = ({ destination }: Delivery) => destinations.every(({ id }) => id !== destination);
  const dead = deliveries.filter(({ isDead }) => isDead).sort((a, b) => b.madeAt - a.madeAt);
  const dropped = new Set([...deliveries.filter(isOrphan), ...dead.slice(mostDead)]);
  return [
    ...old.map(({ id }) => removal(keys.alarmEnded(), id)),
    ...[...acknowledged.keys()]
      .filter((id) => !known.has(id))
      .map((id) => removal(keys.alarmAcknowledged(), id)),
    ...[...dropped].map(deliveryRemoval),
    ...messages.slice(mostMessages).map(({ id }) => removal(keys.alarmMessages(), id)),
  ];
}

const removal = (key: string, field: string): AlarmWrite => ({ key, field, value: null });
