import { Turns } from "../manage/users/turns.ts";
import { oncePerProcess } from "../redis/once-per-process.ts";

/** How much of one kind of work a user, or a session, has done at a time, and how much may wait. */
const kinds = {
  /** A browser opens six connections. Others of the user wait, so that the reads of other users do not wait for all of them. */
  read: {
    atOnce: 6,
    mostWaiting: 300,
    refusal: "You have too many requests waiting. Try again in a moment.",
  },
  /** From its first byte to its last. */
  export: {
    atOnce: 2,
    mostWaiting: 4,
    refusal: "You have too many exports waiting. Try again after they end.",
  },
  preview: {
    ...{ atOnce: 1, mostWaiting: 8 },
    refusal: "Your session has too many previews waiting. Try again in a moment.",
  },
  undo: {
    ...{ atOnce: 1, mostWaiting: 8 },
    refusal: "You have too many undos waiting. Try again after they end.",
  },
} as const;

/** @param whose an email or a session's id: work of others does not wait for it */
export async function inFairTurn<T>(
  kind: keyof typeof kinds,
  whose: string,
  work: () => Promise<T>,
): Promise<T> {
  const all = oncePerProcess(`${kind} turns`, () => new Map<string, Turns>());
  const { atOnce, mostWaiting, refusal } = kinds[kind];
  const turns = all.get(whose) ?? new Turns(atOnce, mostWaiting, refusal);
  all.set(whose, turns);
  try {
    return await turns.take(work);
  } finally {
    if (turns.isIdle) all.delete(whose);
  }
}

/** Begins work that goes on after its function has returned. @returns what ends it */
export function beginFairTurn(kind: keyof typeof kinds, whose: string): Promise<() => void> {
  return new Promise((begin, refuse) => {
    inFairTurn(kind, whose, () => new Promise<void>((end) => begin(() => end()))).catch(refuse);
  });
}
