const forbidden = /NOPERM|no permissions to|can't (run this command|access)|ERR unknown (sub)?command/i;
const lostConnection =
  /^(Connection is closed|Command timed out|Reached the max retries per request|Socket timeout|Stream isn't writeable)|ECONN|EPIPE|ETIMEDOUT/;

const writeRefusal = /^(LOADING|READONLY|OOM|MISCONF|MASTERDOWN|CLUSTERDOWN|NOREPLICAS)\b/;

/** Redis runs, but this user may not, or the server has no such command. */
export function isForbidden(error: unknown): boolean {
  return messagesOf(error).some((message) => forbidden.test(message));
}

export function isLost(error: unknown): boolean {
  return error instanceof Error && lostConnection.test(error.message);
}

/** Redis runs and accepts no writes, so it has done nothing. */
export function isWriteRefusal(error: unknown): boolean {
  return error instanceof Error && writeRefusal.test(error.message);
}

/** A message of another program, to be put into a sentence of ours. */
export function bare(message: string): string {
  return message.trim().replace(/(?<!\.)\.+$/, "");
}

/** A transaction that was given up keeps what was wrong with its commands beside its own message. */
function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const previous =
    "previousErrors" in error && Array.isArray(error.previousErrors) ? error.previousErrors : [];
  return [error.message, ...previous.flatMap(messagesOf)];
}
