import type { Actor } from "../audit/record.ts";

/** Who made an override, when and why. A foreign writer leaves none. */
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
  const { reason, by, at, via } = parseObject(text);
  return {
    reason: typeof reason === "string" ? reason : "",
    ...(typeof by === "string" && { by }),
    ...(typeof at === "string" && { at }),
    ...(typeof via === "string" && { via }),
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
