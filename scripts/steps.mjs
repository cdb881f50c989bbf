/** Progress lines: what runs, what was already there, how long it took. They go to stderr, so stdout stays clean. */

/**
 * What a step answers: a note to show beside its name; nothing means it was done just now.
 * @typedef {string | undefined | void} Note
 */

/** A step's note for work that somebody has done before.
 * @param {string} [what]
 */
export const alreadyThere = (what) => (what ? `already there: ${what}` : "already there");

/** Runs one step and prints its line; the work may say what it is busy with.
 * @param {string} name
 * @param {(say: (busyWith: string) => void) => Note | Promise<Note>} work
 */
export async function step(name, work) {
  const startedAt = performance.now();
  try {
    const note = await work((busyWith) => process.stderr.write(`… ${name}: ${busyWith}\n`));
    process.stderr.write(`✓ ${name}${note ? ` (${note})` : ""} ${secondsSince(startedAt)}\n`);
  } catch (error) {
    process.stderr.write(`✗ ${name} ${secondsSince(startedAt)}\n`);
    throw error;
  }
}

/** @param {number} startedAt */
export function secondsSince(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}
