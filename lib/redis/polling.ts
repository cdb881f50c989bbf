import { mostEntries, readChanges, type ScanMark, type StreamPlace } from "./change-stream.ts";
import type { Connection } from "./connect.ts";
import type { Following, Hear } from "./following.ts";
import type { Schedule, Task } from "./schedule.ts";

const pollEveryMs = 200;
/** Up to so many nodes poll as often. More of them rest longer, but a change is in force within 500 ms. */
const nodesAtFullPace = 50;
const longestRestMs = 320;

interface PollingEvents {
  /** After each poll by the timer, with the error if it failed. */
  onPolled(error?: unknown): void;
  /** A mark of the process that scans for all. */
  onMark(mark: ScanMark): void;
}

/**
 * Asks every 200 ms, in large fleets every 320 ms, for the number of the last change and the keys it wrote, for servers without client tracking. A
 * number without its keys was given out by a Sluice from before the stream: then everything is read again.
 */
export class Polling implements Following {
  readonly #feed: Connection;
  readonly #schedule: Schedule;
  readonly #hear: Hear;
  readonly #events: PollingEvents;
  #place: StreamPlace | undefined;
  #restMs = pollEveryMs;
  #change = 0;
  #next: Task | undefined;
  /** One poll at a time, in order: each goes on from the place that the last one reached. */
  #last: Promise<void> = Promise.resolve();
  #isPolling = false;

  constructor(feed: Connection, schedule: Schedule, hear: Hear, events: PollingEvents) {
    this.#feed = feed;
    this.#schedule = schedule;
    this.#hear = hear;
    this.#events = events;
  }

  /** Place of the last entry that was read. Undefined while it is not armed. */
  get place(): StreamPlace | undefined {
    return this.#place;
  }

  /** @param nodes how many nodes poll the same server */
  share(nodes: number): void {
    this.#restMs = Math.min(longestRestMs, pollEveryMs * Math.max(1, nodes / nodesAtFullPace));
  }

  async arm(): Promise<void> {
    this.disarm();
    const { change, place, entries } = await readChanges.run(this.#feed, "");
    this.#change = change;
    this.#place = place;
    for (const { mark } of entries) if (mark) this.#events.onMark(mark);
    this.#rest();
  }

  async isIntact(): Promise<boolean> {
    return this.#place !== undefined;
  }

  barrier(): Promise<void> {
    const next = this.#last.then(() => this.#poll());
    this.#last = next.catch(() => {});
    return next;
  }

  disarm(): void {
    this.#next?.cancel();
    this.#place = undefined;
  }

  /** Jittered, so that a fleet that started together does not ask together. */
  #rest(): void {
    this.#next?.cancel();
    this.#next = this.#schedule.once(this.#restMs * (0.75 + Math.random() / 2), () => void this.#beat());
  }

  async #beat(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      await this.barrier();
      this.#events.onPolled();
    } catch (error) {
      this.#events.onPolled(error);
    } finally {
      this.#isPolling = false;
      if (this.#place !== undefined) this.#rest();
    }
  }

  async #poll(): Promise<void> {
    let isFollowed = false;
    for (;;) {
      const from = this.#place;
      if (from === undefined) return;
      const { change, place, isWhole, entries } = await readChanges.run(this.#feed, from);
      if (this.#place !== from) return; // Armed again since.
      this.#place = place;
      if (!isWhole) {
        this.#change = change;
        return this.#hear(null);
      }
      for (const entry of entries) {
        isFollowed ||= entry.change === change;
        if (entry.mark) this.#events.onMark(entry.mark);
        else this.#hear(entry.keys);
      }
      if (entries.length === mostEntries) continue;
      const isExplained = isFollowed || change === this.#change;
      this.#change = change;
      return isExplained ? undefined : this.#hear(null);
    }
  }
}
