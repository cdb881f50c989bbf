import { isWriteRefusal } from "../../redis/error-kinds.ts";
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

interface OutageTexts {
  readonly title: string;
  readonly text: string;
  /** How its end begins. */
  readonly over: string;
}

interface OutageBegin {
  readonly at: number;
  readonly words: OutageTexts;
}

/** An outage that is over. */
interface PastOutage {
  readonly incident: Incident;
  /** Those that were sent in it. */
  readonly messages: readonly SentMessage[];
  /** How it ended. */
  readonly text: string;
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
 * Sends that Redis does not answer, or refuses, without Redis: by the process that was the sender, from what it knew last. What was sent is
 * written once Redis works again.
 */
export class RedisOutage {
  readonly #options: OutageOptions;
  #known: LastKnown | undefined;
  #began: OutageBegin | undefined;
  #incident: Incident | undefined;
  readonly #waiting: Delivery[] = [];
  readonly #messages: SentMessage[] = [];

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** True from a pass that failed until one that succeeds. */
  get isAway(): boolean {
    return this.#began !== undefined;
  }

  /** True where this process was the sender when Redis went away. */
  get isSender(): boolean {
    return this.#known !== undefined;
  }

  /** After each pass of the sender. */
  remember(known: LastKnown | undefined): void {
    this.#known = known;
  }

  /** After each pass that failed. @param error of the pass */
  async note(error: unknown): Promise<void> {
    const now = this.#options.now();
    this.#began ??= { at: now, words: wordsOf(error) };
    if (now - this.#began.at < noticedAfterMs || !this.#known) return;
    if (!this.#incident) this.#open(this.#known.stored, incidentOf(this.#options.newId(), this.#began));
    await this.#send(this.#known);
  }

  /** What happened until now, for the pass that succeeds again. Undefined if it was too short. */
  get past(): PastOutage | undefined {
    const began = this.#began;
    const ms = began ? this.#options.now() - began.at : 0;
    if (!began || ms < noticedAfterMs) return undefined;
    return {
      incident: this.#incident ?? incidentOf(this.#options.newId(), began),
      messages: [...this.#messages],
      text: `${began.words.over} after ${Math.round(ms / 1_000)} s`,
    };
  }

  /** It is over: what happened is stored, or another process says it. */
  end(): void {
    this.#began = undefined;
    this.#incident = undefined;
    this.#waiting.length = 0;
    this.#messages.length = 0;
  }

  #open({ destinations, conditions }: StoredAlarms, incident: Incident): void {
    this.#incident = incident;
    if (!conditions.redis.isOn) return;
    const now = this.#options.now();
    for (const { id: destination, isOn, alarms } of destinations)
      if (isOn && alarms.includes("redis"))
        this.#waiting.push(
          deliveryOf(incident, { id: this.#options.newId(), destination, event: "opened", now }),
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

function incidentOf(id: string, { at, words: { title, text } }: OutageBegin): Incident {
  return {
    ...{ id, kind: "redis", cause: outageCause, title, path: "/settings", grade: 1 },
    ...{ lines: [{ at, text }], leftOut: 0, openedAt: at, changedAt: at, endedAt: null },
    ...{ isOfEvents: false, hasNews: false, quietUntil: 0, said: "opened" },
  };
}

/** Redis may also answer, and refuse. */
function wordsOf(error: unknown): OutageTexts {
  const code =
    error instanceof Error && error.name === "ReplyError" ? error.message.split(" ", 1)[0] : undefined;
  if (code === undefined)
    return {
      title: "Redis does not answer",
      text: "Redis does not answer. Nodes enforce the lists that they have, and limits as far as counters answer",
      over: "Redis answers again",
    };
  const rest = "Nodes enforce the lists and the policy. No other alarm is sent until then";
  return isWriteRefusal(error)
    ? {
        title: "Redis accepts no writes",
        text: `Redis answers ${code} to writes, so nothing can be changed. ${rest}`,
        over: "Redis accepts writes again",
      }
    : {
        title: "Redis refuses what alarms need",
        text: `Redis answers ${code}. The log of the console has the command. ${rest}`,
        over: "Alarms work again",
      };
}
