/** Error that a person can fix. Its message is shown without a stack trace. */
export class Stop extends Error {
  /** @param {string} message @param {number} [exitCode] */
  constructor(message, exitCode = 1) {
    super(message);
    this.name = "Stop";
    this.exitCode = exitCode;
  }
}

/** Prints an error and returns the exit code. A Stop is printed without its stack.
 * @param {unknown} error
 */
export function tell(error) {
  console.error(error instanceof Stop ? `\n✗ ${error.message}` : error);
  return error instanceof Stop ? error.exitCode : 1;
}
