import { at } from "./at.ts";

/** Every reason for which Sluice refuses an order. `--json` prints these codes, so they keep their names. */
export type ErrorCode =
  | "bad-input"
  | "lockout"
  | "needs-confirmation"
  | "not-allowed"
  | "not-found"
  | "changed-since"
  | "not-configured"
  | "too-busy"
  | "redis-unavailable";

/** A refusal that a person can act on. Its message is shown unchanged, and never contains a secret. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: ErrorCode;
  /** Message for each field, keyed by the field, or by line and field. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, fields: Record<string, string> = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.fields = fields;
  }
}

/** Part of what was asked is done and stays. The message says how much. */
export class PartlyDone extends DomainError {}

const mostCauses = 5;
const mostFrames = 4;
const longestMessage = 300;

/**
 * One line for the log: name and message of an error and of its causes. Error objects are never logged: ioredis attaches
 * the arguments of the command, among them password hashes and sessions.
 *
 * @example
 * errorLine(error); // "ReplyError: NOPERM User console has no permissions … (command xadd)"
 */
export function errorLine(error: unknown): string {
  return chainOf(error).map(oneLine).join("; caused by ");
}

/** The line of `errorLine` with the nearest frames of the stack, for an error that only a code change can prevent. */
export function errorLineWithStack(error: unknown): string {
  const frames = error instanceof Error ? framesOf(error) : [];
  return [errorLine(error), ...frames].join(" ");
}

function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let next = error; next !== undefined && chain.length < mostCauses; ) {
    chain.push(next);
    next = next instanceof Error ? next.cause : undefined;
  }
  return chain.length > 0 ? chain : [undefined];
}

/** Only the type of a value that is not an error: it may contain anything. */
function oneLine(error: unknown): string {
  if (!(error instanceof Error))
    return typeof error === "string" ? plain(error) : `a value of type ${typeof error}`;
  const command = commandName(error);
  const message = plain(error.message) || codeOf(error);
  return `${plain(error.name)}: ${message}${command === undefined ? "" : ` (command ${plain(command)})`}`;
}

/** Text without line breaks, passwords in URLs, and the arguments that Redis repeats for an unknown command. */
function plain(text: string): string {
  return at(text.split(", with args beginning with:", 1), 0)
    .replace(/\/\/[^@\s/]*@/g, "//")
    .replace(/[^\x21-\x7e]+/g, " ")
    .trim()
    .slice(0, longestMessage);
}

function commandName(error: Error): string | undefined {
  const command = "command" in error ? error.command : undefined;
  const isNamed = typeof command === "object" && command !== null && "name" in command;
  return isNamed && typeof command.name === "string" ? command.name : undefined;
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? plain(error.code) : "no message";
}

/** Nearest frames of the stack. The stack begins with the message, which may itself look like frames. */
function framesOf({ stack = "", message }: Error): string[] {
  const from = stack.indexOf(message) + message.length;
  return stack
    .slice(from)
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, mostFrames)
    .map((line) => plain(line));
}
