import type { AlarmConditions } from "./conditions.ts";
import { type Delivery, deliveryOf, mostWaiting } from "./delivery.ts";
import type { Destination } from "./destination.ts";
import type { Happening, Observation } from "./happening.ts";
import { type Incident, type IncidentEvent, withLine } from "./incident.ts";
import { type AlarmKind, kindTerms } from "./kinds.ts";

export interface AlarmSituation {
  readonly now: number;
  /** Open ones, and those that ended within the longest quiet time. */
  readonly incidents: readonly Incident[];
  readonly deliveries: readonly Delivery[];
  readonly destinations: readonly Destination[];
  readonly conditions: AlarmConditions;
  /** Ids of incidents that a person has acknowledged. */
  readonly acknowledged: ReadonlySet<string>;
  /** Ids of messages that are being sent. */
  readonly inFlight: ReadonlySet<string>;
  readonly newId: () => string;
}

export interface Advance {
  /** New ones, and those that changed. */
  readonly incidents: readonly Incident[];
  readonly deliveries: readonly Delivery[];
}

/** Without a new event for so long, or for the quiet time if it is longer, an incident of events is over. */
const eventsEndMs = 10 * 60_000;

/** Joins what was found with the incidents there are. Returns what changed, and the messages to send. */
export function advance(situation: AlarmSituation, observation: Observation): Advance {
  const step = new AdvanceStep(situation);
  const { states, readKinds, ends, events } = observation;
  for (const state of states) step.hold(state);
  const holding = new Set(states.map(({ cause }) => cause));
  step.endOthers(readKinds, holding, ends);
  for (const event of events) step.happen(event);
  step.speakUp();
  return step.result();
}

class AdvanceStep {
  readonly #given: AlarmSituation;
  readonly #incidents = new Map<string, Incident>();
  readonly #changed = new Set<string>();
  readonly #deliveries = new Map<string, Delivery>();
  #waiting: number;

  constructor(given: AlarmSituation) {
    this.#given = given;
    this.#waiting = given.deliveries.filter(({ isDead }) => !isDead).length;
    // The latest of each cause: others have ended before it.
    for (const one of given.incidents.toSorted((a, b) => a.openedAt - b.openedAt))
      this.#incidents.set(one.cause, one);
  }

  /** A state that holds now. */
  hold(state: Happening): void {
    if (!this.#isOn(state.kind)) return;
    const { cause, title, text, grade = 1, at } = state;
    const known = this.#incidents.get(cause);
    if (known && known.endedAt === null) {
      if (grade > known.grade) {
        this.#put(withLine({ ...known, title, grade }, text, at));
        this.#say(cause, "updated");
        return;
      }
      // Quieter again, or said in other words: the page shows it, and no message is sent.
      if (title !== known.title || grade !== known.grade) this.#put({ ...known, title, grade });
      return;
    }
    if (known && this.#given.now < known.quietUntil) {
      // It is back before the quiet time was over: the same incident goes on.
      const back = withLine({ ...known, title, endedAt: null, hasNews: true }, text, at);
      this.#put({ ...back, grade: Math.max(grade, known.grade) });
      const isThoughtOver = known.said === "ended" && kindTerms[known.kind].isCalmBefore;
      if (grade > known.grade || isThoughtOver) this.#say(cause, "updated");
      return;
    }
    this.#open(state, false);
  }

  /** Ends incidents whose end is known, those of states that were read and hold no more, and all of kinds that were switched off. */
  endOthers(
    readKinds: readonly AlarmKind[],
    holding: ReadonlySet<string>,
    ends: ReadonlyMap<string, string>,
  ): void {
    for (const [cause, incident] of this.#incidents) {
      if (incident.endedAt !== null) continue;
      const { kind } = incident;
      if (!this.#isOn(kind)) this.#put({ ...incident, endedAt: this.#given.now, hasNews: false });
      else if (ends.has(cause) || (!incident.isOfEvents && readKinds.includes(kind) && !holding.has(cause)))
        this.#end(incident, ends.get(cause));
    }
  }

  #end(incident: Incident, text: string | undefined): void {
    const { now } = this.#given;
    const { cause, said, kind } = incident;
    const ended = { ...withLine(incident, text ?? "Ended", now), endedAt: now, hasNews: false };
    this.#put(ended);
    // Without a message of its begin, or after one of its end, there is no end to send.
    if (kindTerms[kind].saysEnd && said !== null && said !== "ended") this.#say(cause, "ended");
  }

  /** Something that happened once. */
  happen(event: Happening): void {
    if (!this.#isOn(event.kind)) return;
    const { cause, title, text, at, grade = 1 } = event;
    const known = this.#incidents.get(cause);
    if (!known || known.endedAt !== null) {
      this.#open(event, true);
      return;
    }
    const isWorse = grade > known.grade;
    this.#put({
      ...withLine({ ...known, title }, text, at),
      ...{ hasNews: true, grade: Math.max(grade, known.grade) },
    });
    if (isWorse) this.#say(cause, "updated");
  }

  /** Says what was held back for the quiet time, and ends incidents of events that are over. */
  speakUp(): void {
    const { now, conditions, acknowledged } = this.#given;
    for (const [cause, incident] of this.#incidents) {
      if (incident.endedAt !== null) continue;
      const isQuiet = now < incident.quietUntil;
      if (incident.hasNews && !isQuiet) {
        if (acknowledged.has(incident.id)) this.#put({ ...incident, hasNews: false });
        else this.#say(cause, "updated");
      }
      const endMs = Math.max(conditions[incident.kind].quietMs, eventsEndMs);
      const { hasNews = false } = this.#incidents.get(cause) ?? {};
      if (incident.isOfEvents && !hasNews && now >= incident.changedAt + endMs)
        this.#put({ ...incident, endedAt: now });
    }
  }

  result(): Advance {
    const incidents = [...this.#incidents.values()].filter(({ id }) => this.#changed.has(id));
    return { incidents, deliveries: [...this.#deliveries.values()] };
  }

  #open(happening: Happening, isOfEvents: boolean): void {
    const { kind, cause, title, text, path, grade = 1, at } = happening;
    this.#put({
      ...{ id: this.#given.newId(), kind, cause, title, path, grade, isOfEvents },
      ...{ lines: [{ at, text }], leftOut: 0, openedAt: at, changedAt: at, endedAt: null },
      ...{ hasNews: false, quietUntil: 0, said: null },
    });
    this.#say(cause, "opened");
  }

  #say(cause: string, event: IncidentEvent): void {
    const incident = this.#incidents.get(cause);
    if (!incident) return;
    const { now, destinations, conditions } = this.#given;
    const quietUntil = event === "ended" ? incident.quietUntil : now + conditions[incident.kind].quietMs;
    const said: Incident = { ...incident, said: event, hasNews: false, quietUntil };
    this.#put(said);
    for (const { id: destination, alarms, isOn } of destinations)
      if (isOn && alarms.includes(incident.kind)) this.#queue(said, destination, event);
  }

  /** A newer update takes the place of one that no try has sent. */
  #queue(incident: Incident, destination: string, event: IncidentEvent): void {
    const { deliveries, newId, now } = this.#given;
    const stale = deliveries.find(
      (one) =>
        one.destination === destination &&
        one.incident.id === incident.id &&
        one.event === "updated" &&
        one.tries === 0 &&
        !one.isDead &&
        !this.#given.inFlight.has(one.id),
    );
    if (stale && event === "updated") {
      const { madeAt } = stale;
      const newer = deliveryOf(incident, { id: stale.id, destination, event, now });
      this.#deliveries.set(stale.id, { ...newer, madeAt });
      return;
    }
    const made = deliveryOf(incident, { id: newId(), destination, event, now });
    const isFull = this.#waiting >= mostWaiting;
    const failure = `${mostWaiting} messages wait already`;
    this.#deliveries.set(made.id, isFull ? { ...made, isDead: true, failure } : made);
    this.#waiting++;
  }

  #isOn(kind: AlarmKind): boolean {
    return this.#given.conditions[kind].isOn;
  }

  #put(incident: Incident): void {
    this.#incidents.set(incident.cause, incident);
    this.#changed.add(incident.id);
  }
}
