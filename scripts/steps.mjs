/** Progress lines on stderr: the running step, its note and its duration. */

/**
 * Result of a step: a note that is shown beside its name. Undefined for work that was done now.
 * @typedef {string | undefined | void} Note
 */

/** Note of a step whose work was done before.
 * @param {string} [what]
 */
export const alreadyThere = (what) => (what ? `already there: ${what}` : "already there");

/** Runs one step and prints its line. The work may report its progress.
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
