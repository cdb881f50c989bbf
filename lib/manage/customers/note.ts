import { parseObject } from "../../parse-object.ts";
import type { Actor } from "../audit/record.ts";

/** The author, time and reason of an override. Foreign writers leave no note. */
export interface OverrideNote {
  readonly reason: string;
  readonly by?: string;
  /** ISO */
  readonly at?: string;
  readonly via?: string;
}

export function writeNote(reason: string, { name, via }: Actor, now: number): string {
  return JSON.stringify({ reason, by: name, at: new Date(now).toISOString(), via });
}

export function readNote(text: string): OverrideNote {
  const { reason, by, at, via } = parseObject(text) ?? {};
  return {
    reason: typeof reason === "string" ? reason : "",
    ...(typeof by === "string" && { by }),
    ...(typeof at === "string" && { at }),
    ...(typeof via === "string" && { via }),
  };
}
