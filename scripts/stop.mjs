/** Trouble a person can mend: its message is the whole answer, so no stack trace is shown for it. */
export class Stop extends Error {
  /** @param {string} message @param {number} [exitCode] */
  constructor(message, exitCode = 1) {
    super(message);
    this.name = "Stop";
    this.exitCode = exitCode;
  }
}

/** Says what went wrong and gives the exit code: a Stop in its own words, anything else with its stack.
 * @param {unknown} error
 */
export function tell(error) {
  console.error(error instanceof Stop ? `\n✗ ${error.message}` : error);
  return error instanceof Stop ? error.exitCode : 1;
}
