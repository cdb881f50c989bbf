import { at } from "../at.ts";
import type { Connection } from "./connect.ts";
import type { Following, Hear } from "./following.ts";
import { keys } from "./keys.ts";
import { lua } from "./lua.generated.ts";
import type { Schedule, Task } from "./schedule.ts";
import { defineScript } from "./script.ts";

interface Written {
  readonly key: string;
  /** Empty for a key to delete. */
  readonly value: string;
  readonly seconds: number;
}

const announcedWrite = defineScript({
  lua: lua.announcedWrite,
  keys: ({ key }: Written) => [key],
  args: ({ value, seconds }) => [keys.changes(), value, seconds],
  reply: (isDone: number) => isDone === 1,
});

/** Writes a key that nodes follow, outside of a change, unless it exists. False when it does. Nodes that poll hear of it. */
export function setAnnounced(
  redis: Connection,
  key: string,
  value: string,
  seconds: number,
): Promise<boolean> {
  return announcedWrite.run(redis, { key, value, seconds });
}

/** Deletes such a key. False when there was none. */
export function deleteAnnounced(redis: Connection, key: string): Promise<boolean> {
  return announcedWrite.run(redis, { key, value: "", seconds: 0 });
}

/** The stream keeps about so many entries. */
const kept = 1_000;
/** A poll reads at most so many. */
export const mostEntries = 100;
const keysAnEntry = 200;

/** An id of the stream: `<ms>-<n>`. */
export type StreamPlace = string;

/** What the process that scans for all says of its scan. A node of an earlier version reads an entry without keys. */
export interface ScanMark {
  /** begun: all differences are announced from here on. walked: so is what a whole walk found. */
  readonly kind: "begun" | "walked";
  /** Place of the mark since which the scan announces all differences to what Redis held then. */
  readonly since: StreamPlace;
  /** How long a walk takes. */
  readonly walkMs: number;
  readonly ageMs: number;
}

export interface ChangeEntry {
  readonly change: number;
  readonly keys: readonly string[];
  readonly mark: ScanMark | undefined;
}

export interface ReadChanges {
  /** Number of the last change. */
  readonly change: number;
  /** Id of the last entry read. */
  readonly place: StreamPlace;
  /** False when entries were trimmed before they were read. */
  readonly isWhole: boolean;
  readonly entries: readonly ChangeEntry[];
}

/** Reads what follows a place. Without a place ("") the newest place, and the newest mark if it is among the last entries. */
export const readChanges = defineScript({
  lua: lua.readChanges,
  keys: (_place: StreamPlace) => [keys.change()],
  args: (place) => [keys.changes(), place, mostEntries],
  reply: ([change, place, isWhole, flat]: [number, string, number, string[]]): ReadChanges => ({
    change,
    place,
    isWhole: isWhole === 1,
    entries: inThrees(flat),
  }),
});

/** For keys that other programs wrote: nodes that poll read them again. */
export async function announceFound(redis: Connection, found: readonly string[]): Promise<void> {
  for (let from = 0; from < found.length; from += keysAnEntry)
    await append(redis, ["keys", JSON.stringify(found.slice(from, from + keysAnEntry))]);
}

/** Marks that a scan begins, with its own place as `since`, or that it has walked through all keys. Returns the mark's place. */
export function markScan(redis: Connection, mark: Omit<ScanMark, "ageMs">): Promise<StreamPlace> {
  const since = mark.kind === "begun" ? "" : mark.since;
  return append(redis, ["keys", "[]", "scan", mark.kind, "since", since, "walk", String(mark.walkMs)]);
}

/** True when the first place is the second or comes after it. */
export function isAtOrAfter(place: StreamPlace, other: StreamPlace): boolean {
  const [[ms, n], [otherMs, otherN]] = [partsOf(place), partsOf(other)];
  return ms > otherMs || (ms === otherMs && n >= otherN);
}

async function append(redis: Connection, fields: readonly string[]): Promise<StreamPlace> {
  const place = await redis.xadd(keys.changes(), "MAXLEN", "~", kept, "*", "change", "", ...fields);
  if (place === null) throw new Error("the stream of changes took no entry");
  return place;
}

function partsOf(place: StreamPlace): [number, number] {
  const [ms = "", n = ""] = place.split("-");
  return [Number(ms) || 0, Number(n) || 0];
}

function inThrees(flat: readonly string[]): ChangeEntry[] {
  const entries: ChangeEntry[] = [];
  for (let i = 0; i + 2 < flat.length; i += 3)
    entries.push({
      change: Number(flat[i]),
      keys: readKeys(at(flat, i + 1)),
      mark: readMark(at(flat, i + 2)),
    });
  return entries;
}

/** Any program may write to the stream: what is no list of keys names none. */
function readKeys(text: string): string[] {
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

const markPattern = /^(begun|walked) (\d{1,16}-\d{1,16}) (\d{1,9}) (\d{1,16})$/;

/** As above: what is no mark is none. */
function readMark(text: string): ScanMark | undefined {
  const [, kind, since, walkMs, ageMs] = markPattern.exec(text) ?? [];
  if ((kind !== "begun" && kind !== "walked") || since === undefined) return undefined;
  return { kind, since, walkMs: Number(walkMs), ageMs: Number(ageMs) };
}

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
