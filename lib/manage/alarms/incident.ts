import { z } from "zod";
import { parseObject } from "../../parse-object.ts";
import { alarmKinds } from "./kinds.ts";

const line = z.object({ at: z.number(), text: z.string() });

const schema = z.object({
  id: z.string(),
  kind: z.enum(alarmKinds),
  /** Happenings of one cause are one incident: "attack shop", "feed scanners failing". */
  cause: z.string(),
  title: z.string(),
  /** Path of the console's page about it. */
  path: z.string(),
  /** What happened, the newest last. */
  lines: z.array(line),
  /** Lines that were left out. */
  leftOut: z.number(),
  /** How bad it is: 1, or more for what got worse. */
  grade: z.number(),
  openedAt: z.number(),
  /** Of the last line. */
  changedAt: z.number(),
  endedAt: z.number().nullable(),
  /** It ends when nothing more happens, and has no end of its own. */
  isOfEvents: z.boolean(),
  /** Something happened since the last message. */
  hasNews: z.boolean(),
  /** No message before. */
  quietUntil: z.number(),
  /** What the last message said. Null: none was sent. */
  said: z.enum(["opened", "updated", "ended"]).nullable(),
});

/** All that happened of one cause, from its begin to its end. */
export type Incident = z.output<typeof schema>;
export type IncidentEvent = NonNullable<Incident["said"]>;

/** Lines that are kept of an incident: the first, and the newest. */
export const mostLines = 12;

/** Undefined for what Sluice has not written. */
export function parseIncident(text: string): Incident | undefined {
  const parsed = schema.safeParse(parseObject(text));
  return parsed.success ? parsed.data : undefined;
}

/** The first line stays: it says how the incident began. */
export function withLine(incident: Incident, text: string, at: number): Incident {
  const lines = [...incident.lines, { at, text }];
  const isFull = lines.length > mostLines;
  return {
    ...incident,
    lines: isFull ? lines.toSpliced(1, 1) : lines,
    leftOut: incident.leftOut + (isFull ? 1 : 0),
    changedAt: at,
  };
}
