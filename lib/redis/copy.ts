import { keys } from "./keys.ts";
import { lua } from "./lua.generated.ts";
import { defineScript } from "./script.ts";

/** What is kept: keys that match a pattern, each known by the life it has left. */
export interface Copy {
  readonly pattern: string;
  holds(key: string): boolean;
  /** A fresh copy begins beside the one in use. */
  begin(): void;
  /** A key of the fresh copy: ms left, -1 when it stays. */
  load(key: string, ttlMs: number): void;
  /** A key as it is now, for both copies; -2 when it is gone. */
  put(key: string, ttlMs: number): void;
  /** Everything was read: the fresh copy takes over. */
  finish(): void;
}

const pageSize = 1_000;

/** A page of what Redis holds under a pattern: keys, each followed by what is left of its life. */
export const loadPage = defineScript({
  lua: lua.loadPage,
  keys: () => [],
  args: (page: { cursor: string; pattern: string }) => [page.cursor, page.pattern, pageSize],
  reply: ([cursor, ...found]: [string, ...(string | number)[]]) => ({ cursor, found }),
});

/** What became of changed keys, and the number of the last change that is certainly in it. */
export const readChanged = defineScript({
  lua: lua.readChanged,
  keys: (changed: readonly string[]) => [keys.change(), ...changed],
  reply: ([change, ...ttls]: [number, ...number[]]) => ({ change, ttls }),
});
