import type { ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import type { OptionName, Options } from "./options.ts";
import type { Session, WritingSession } from "./session.ts";

/** What a command says when it is done. */
export interface Report {
  /** For people, on stdout. */
  readonly lines: readonly string[];
  /** For people, on stderr. */
  readonly complaints?: readonly string[];
  /** For `--json`; nothing when the command has written its own document. */
  readonly json: unknown;
  readonly exit?: ExitCode;
}

export interface Call {
  readonly operands: readonly string[];
  readonly options: Options;
  readonly io: Io;
  /** Opens Redis; what can be found wrong without it should be found before. */
  reading(): Promise<Session>;
  /** The same for verbs that change something. */
  writing(): Promise<WritingSession>;
}

export interface Command {
  /** As it is typed: "block add". */
  readonly name: string;
  /** How its operands are called: "<address…>". */
  readonly takes: string;
  readonly operands: { readonly least: number; readonly most: number };
  readonly summary: string;
  /** What one should know before using it, line by line. */
  readonly about: readonly string[];
  readonly options: readonly OptionName[];
  readonly examples: readonly string[];
  run(call: Call): Promise<Report>;
}

/** The command line itself was not understood. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** The command whose help says more; "" for all of them. */
  readonly about: string;

  constructor(message: string, about = "") {
    super(message);
    this.about = about;
  }
}
