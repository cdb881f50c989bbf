import type { AlarmKind } from "./kinds.ts";

/** Something that an alarm is about, in words. */
export interface Happening {
  readonly kind: AlarmKind;
  /** Happenings of one cause are one incident. */
  readonly cause: string;
  readonly title: string;
  readonly text: string;
  /** Path of the console's page about it. */
  readonly path: string;
  /** When it happened, in ms. Of a state: when it was found. */
  readonly at: number;
  /** 1 unless given. A higher one is sent at once. */
  readonly grade?: number;
}

/** What was found in one pass. */
export interface Observation {
  /** States that hold now. An incident is open for as long as its state holds. */
  readonly states: readonly Happening[];
  /** Kinds whose states were read: what is not among the states has ended. Of other kinds nothing is known. */
  readonly readKinds: readonly AlarmKind[];
  /** How a state ended, by its cause. */
  readonly ends: ReadonlyMap<string, string>;
  /** What happened since the last pass, once each. */
  readonly events: readonly Happening[];
}
