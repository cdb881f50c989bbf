import { randomBytes } from "node:crypto";
import { errorLine } from "../../errors.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { Lease, repeat } from "../../redis/lease.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import type { SecretBox } from "../outbound/secret-box.ts";
import { advance } from "./advance.ts";
import { type Delivery, dueDeliveries } from "./delivery.ts";
import type { Destination } from "./destination.ts";
import type { Observation } from "./happening.ts";
import { outageCause, RedisOutage } from "./redis-outage.ts";
import { type AlarmSender, type SendingContext, sendDelivery } from "./send-deliveries.ts";
import { messageWrite } from "./sent-message.ts";
import {
  type AlarmWrite,
  archiving,
  cleaning,
  deliveryWrite,
  incidentWrite,
  readAlarmHistory,
  readAlarms,
  type StoredAlarms,
  saveAlarms,
} from "./store.ts";

/** What was found in a pass, and what the observers remember until the next one. */
export interface Observed extends Observation {
  /** By the observer's name: JSON. Those that are missing keep what they remember. */
  readonly memory: ReadonlyMap<string, string>;
}

export interface AlarmKeeperOptions {
  readonly redis: Connection;
  readonly secrets: SecretBox;
  readonly send: AlarmSender;
  readonly publicUrl?: string | undefined;
  /** What happens in the fleet. */
  readonly observe: (stored: StoredAlarms) => Promise<Observed>;
  readonly everyMs?: number;
  readonly leaseMs?: number;
  readonly log?: (line: string) => void;
  /** Ms of Redis' clock. */
  readonly clock?: () => Promise<number>;
  /** Ms since 1970 of this process. */
  readonly localClock?: () => number;
}

/** Messages that are sent to one destination at a time: one that does not answer delays no other. */
const mostInFlight = 5;
const cleanEveryMs = 60_000;
/** After an outage, the process that was the sender goes first: it knows what it has sent. */
const afterOutageMs = 10_000;

/** Finds what alarms are about and sends them. Of all consoles, one does; when it dies, another goes on with what is in Redis. */
export class AlarmKeeper {
  readonly #options: AlarmKeeperOptions;
  readonly #lease: Lease;
  readonly #end = new AbortController();
  readonly #log: (line: string) => void;
  readonly #inFlight = new Map<string, { readonly destination: string; readonly sent: Promise<void> }>();
  readonly #outage: RedisOutage;
  readonly #localClock: () => number;
  #restUntil = 0;
  #cleanAt = 0;
  #hasFailed = false;

  constructor(options: AlarmKeeperOptions) {
    const { secrets, send, publicUrl, localClock = Date.now } = options;
    this.#options = options;
    this.#localClock = localClock;
    this.#outage = new RedisOutage({ secrets, send, publicUrl, newId, now: localClock });
    this.#lease = new Lease(options.redis, "alarms", options.leaseMs);
    this.#log = options.log ?? console.warn;
  }

  async run(): Promise<void> {
    await repeat(this.#end.signal, this.#options.everyMs ?? 1_000, () => this.once());
    await this.sent();
    await this.#lease.release();
  }

  stop(): void {
    this.#end.abort();
  }

  /** Resolves when no message is under way. */
  async sent(): Promise<void> {
    await Promise.all([...this.#inFlight.values()].map(({ sent }) => sent));
  }

  /** One pass. Returns whether this process is the one that sends. Messages are sent after it, and awaited by `sent`. */
  async once(): Promise<boolean> {
    try {
      const isSaved = await this.#pass();
      this.#hasFailed = false;
      return isSaved;
    } catch (error) {
      if (!this.#hasFailed) this.#log(`sluice: alarms are not sent. Retrying. ${errorLine(error)}`);
      this.#hasFailed = true;
      await this.#outage.note(error);
      return false;
    }
  }

  async #pass(): Promise<boolean> {
    const { redis, observe } = this.#options;
    // First: the sender of before goes first, but only once Redis answers.
    await redis.ping();
    if (this.#outage.isAway && !this.#outage.isSender) {
      this.#outage.end();
      this.#restUntil = this.#localClock() + afterOutageMs;
    }
    if (this.#localClock() < this.#restUntil) return false;
    if (!(await this.#lease.take())) {
      this.#outage.remember(undefined);
      this.#outage.end();
      return false;
    }
    const stored = await this.#read();
    const observed = await observe(stored);
    const { past } = this.#outage;
    const known = past ? { ...stored, incidents: [...stored.incidents, past.incident] } : stored;
    const ends = past ? new Map([...observed.ends, [outageCause, past.text] as const]) : observed.ends;
    const writes = [
      ...this.#advance(known, { ...observed, ends }),
      ...(past?.messages ?? []).map(messageWrite),
      ...archiving(stored),
      ...(await this.#cleaning(stored)),
    ];
    const isSaved = await saveAlarms(redis, { lease: this.#lease, writes });
    if (isSaved) {
      this.#outage.end();
      await this.#sendAndRemember();
    }
    return isSaved;
  }

  async #cleaning(stored: StoredAlarms): Promise<AlarmWrite[]> {
    if (stored.now < this.#cleanAt) return [];
    this.#cleanAt = stored.now + cleanEveryMs;
    return cleaning(stored, await readAlarmHistory(this.#options.redis));
  }

  async #sendAndRemember(): Promise<void> {
    const [stored, secrets] = await Promise.all([
      this.#read(),
      this.#options.redis.hgetall(keys.alarmSecrets()),
    ]);
    this.#outage.remember({ stored, secrets });
    this.#sendDue(stored);
  }

  async #read(): Promise<StoredAlarms> {
    const { redis, clock } = this.#options;
    const stored = await readAlarms(redis);
    return clock ? { ...stored, now: await clock() } : stored;
  }

  #advance(stored: StoredAlarms, { memory, ...observation }: Observed): AlarmWrite[] {
    const { incidents, deliveries } = advance(
      {
        ...stored,
        acknowledged: new Set(stored.acknowledged.keys()),
        inFlight: new Set(this.#inFlight.keys()),
        newId,
      },
      observation,
    );
    return [
      ...incidents.map(incidentWrite),
      ...deliveries.map(deliveryWrite),
      ...[...memory].map(([field, value]) => ({ key: keys.alarmMemory(), field, value })),
    ];
  }

  #sendDue({ deliveries, destinations, now }: StoredAlarms): void {
    const byId = new Map(destinations.map((one) => [one.id, one]));
    for (const delivery of dueDeliveries(deliveries, now)) {
      const destination = byId.get(delivery.destination);
      if (destination && this.#hasRoom(delivery)) this.#send(delivery, destination);
    }
  }

  #hasRoom({ id, destination }: Delivery): boolean {
    const others = [...this.#inFlight.values()].filter((one) => one.destination === destination);
    return others.length < mostInFlight && !this.#inFlight.has(id);
  }

  #send(delivery: Delivery, destination: Destination): void {
    const { redis, secrets, send, publicUrl, clock = () => redisNow(redis) } = this.#options;
    const ctx: SendingContext = { ...{ redis, secrets, send, publicUrl, clock }, lease: this.#lease };
    const sent = sendDelivery(ctx, delivery, destination)
      .catch((error: unknown) => this.#log(`sluice: an alarm was not sent. Retrying. ${errorLine(error)}`))
      .finally(() => this.#inFlight.delete(delivery.id));
    this.#inFlight.set(delivery.id, { destination: destination.id, sent });
  }
}

const newId = (): string => randomBytes(9).toString("base64url");
