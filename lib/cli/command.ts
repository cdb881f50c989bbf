import type { ReadAccess, WriteAccess } from "./access/access.ts";
import type { ExitCode } from "./failure.ts";
import type { Io } from "./io.ts";
import type { GivenOptions, OptionName } from "./options.ts";
import type { CommandSession, WritingSession } from "./session.ts";

/** Output of a finished command. */
export interface CommandReport {
  /** Lines for people, on stdout. */
  readonly lines: readonly string[];
  /** Warnings and errors for people, on stderr. */
  readonly complaints?: readonly string[];
  /** Document for `--json`. Undefined if the command has written its own. */
  readonly json: unknown;
  readonly exit?: ExitCode;
}

export interface CommandCall {
  readonly operands: readonly string[];
  readonly options: GivenOptions;
  readonly io: Io;
  /** What a command reads, from Redis or over the API. Commands check their input before they call it. */
  readAccess(): Promise<ReadAccess>;
  /** The same for a change. */
  writeAccess(): Promise<WriteAccess>;
  /** Connects to Redis, for commands that the API does not serve. */
  reading(): Promise<CommandSession>;
  /** Connects to Redis for a change. */
  writing(): Promise<WritingSession>;
}

export interface Command {
  /** Words that are typed: "block add". */
  readonly name: string;
  /** Operands as help shows them: "<address…>". */
  readonly takes: string;
  readonly operands: { readonly least: number; readonly most: number };
  readonly summary: string;
  /** Explanation in help, line by line. */
  readonly about: readonly string[];
  readonly options: readonly OptionName[];
  /** The API does not serve it. */
  readonly needsRedis?: true;
  readonly examples: readonly string[];
  run(call: CommandCall): Promise<CommandReport>;
}

/** Error of a command line that cannot be read. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** Command whose help explains more. "" means the help of all commands. */
  readonly about: string;

  constructor(message: string, about = "") {
    super(message);
    this.about = about;
  }
}
