import type { SecretBox } from "../outbound/secret-box.ts";
import { type Delivery, deliveryOf } from "./delivery.ts";
import { parseSecret } from "./destination.ts";
import type { Incident } from "./incident.ts";
import type { AlarmSender } from "./send-deliveries.ts";
import type { SentMessage } from "./sent-message.ts";
import type { StoredAlarms } from "./store.ts";

interface OutageOptions {
  readonly secrets: SecretBox;
  readonly send: AlarmSender;
  readonly publicUrl: string | undefined;
  readonly newId: () => string;
  /** Ms since 1970 of this process, for what happens while Redis' clock cannot be read. */
  readonly now: () => number;
}

/** What the holder of the lease knew last. */
interface LastKnown {
  readonly stored: StoredAlarms;
  /** Ids of destinations → their secrets, encrypted. */
  readonly secrets: Readonly<Record<string, string>>;
}

export const outageCause = "redis control";
/** Redis that answers again before is not worth a message. */
const noticedAfterMs = 5_000;
const mostTries = 10;

/**
 * Sends that Redis does not answer, without Redis: by the process that was the sender, from what it knew last. What was sent is
 * written once Redis answers again.
 */
export class RedisOutage {
  readonly #options: OutageOptions;
  #known: LastKnown | undefined;
  #since: number | undefined;
  #incident: Incident | undefined;
  readonly #waiting: Delivery[] = [];
  readonly #messages: SentMessage[] = [];

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** True while Redis has not answered since an error. */
  get isAway(): boolean {
    return this.#since !== undefined;
  }

  /** True where this process was the sender when Redis went away. */
  get isSender(): boolean {
    return this.#known !== undefined;
  }

  /** After each pass of the sender. */
  remember(known: LastKnown | undefined): void {
    this.#known = known;
  }

  /** After each pass that failed. */
  async note(): Promise<void> {
    const now = this.#options.now();
    this.#since ??= now;
    if (now - this.#since < noticedAfterMs || !this.#known) return;
    if (!this.#incident) this.#open(this.#known.stored, this.#since, now);
    await this.#send(this.#known);
  }

  /** Redis answers: what happened while it did not. Undefined if that was too short, or if another process says it. */
  back():
    | { readonly incident: Incident; readonly messages: readonly SentMessage[]; readonly text: string }
    | undefined {
    const now = this.#options.now();
    const [since = now, incident] = [this.#since, this.#incident];
    const messages = this.#messages.splice(0);
    this.#since = undefined;
    this.#incident = undefined;
    this.#waiting.length = 0;
    if (now - since < noticedAfterMs) return undefined;
    const text = `Redis answers again after ${Math.round((now - since) / 1_000)} s`;
    return { incident: incident ?? incidentOf(this.#options.newId(), since), messages, text };
  }

  #open({ destinations, conditions }: StoredAlarms, since: number, now: number): void {
    this.#incident = incidentOf(this.#options.newId(), since);
    if (!conditions.redis.isOn) return;
    for (const { id: destination, isOn, alarms } of destinations)
      if (isOn && alarms.includes("redis"))
        this.#waiting.push(
          deliveryOf(this.#incident, { id: this.#options.newId(), destination, event: "opened", now }),
        );
  }

  async #send({ stored, secrets }: LastKnown): Promise<void> {
    const { send, secrets: box, publicUrl, now } = this.#options;
    const waiting = this.#waiting.splice(0);
    const tried = waiting.map(async (delivery) => {
      const destination = stored.destinations.find(({ id }) => id === delivery.destination);
      const text = secrets[delivery.destination];
      if (!destination || text === undefined) return;
      const begun = { ...delivery, tries: delivery.tries + 1 };
      const beganAt = performance.now();
      const secret = parseSecret(box.decrypt(destination.id, text));
      if (!secret) return;
      const outcome = await send(destination, secret, { delivery: begun, sentAt: now(), publicUrl });
      if (outcome.is === "failed" && begun.tries < mostTries) {
        this.#waiting.push({ ...begun, isInDoubt: begun.isInDoubt || outcome.mayHaveArrived });
        return;
      }
      this.#messages.push({
        ...{ id: delivery.id, incident: delivery.incident.id, destination: destination.id, event: "opened" },
        ...{ at: now(), tookMs: Math.round(performance.now() - beganAt), tries: begun.tries },
        failure: outcome.is === "failed" ? outcome.failure : null,
      });
    });
    await Promise.allSettled(tried);
  }
}

function incidentOf(id: string, since: number): Incident {
  const text =
    "Redis does not answer. Nodes enforce the lists that they have, and limits as far as counters answer";
  return {
    ...{ id, kind: "redis", cause: outageCause, title: "Redis does not answer", path: "/settings", grade: 1 },
    ...{ lines: [{ at: since, text }], leftOut: 0, openedAt: since, changedAt: since, endedAt: null },
    ...{ isOfEvents: false, hasNews: false, quietUntil: 0, said: "opened" },
  };
}
