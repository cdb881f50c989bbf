/** Changes of a dictionary, by key: the lower-case hex SHA-1 of a fingerprint. */
export interface Changes {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Takes one call of the hour's budget. Rejects when none is left. */
export type TakeCall = () => Promise<void>;

/** The table in which an edge looks up limited clients. Every method can be repeated. */
export interface Dictionary {
  readonly kind: "fastly" | "varnish" | "haproxy";
  /** Name for people, without secrets: "varnish 127.0.0.1:6082". */
  readonly name: string;
  /** The number of keys that fit. Of more, the worst are kept. */
  readonly capacity: number;
  /** The number of changes that one call can make. */
  readonly changesACall: number;
  /** Calls allowed in an hour. Undefined without a limit. */
  readonly callsAnHour?: number;
  /** Dictionaries of one account share its calls. The default is the dictionary's name. */
  readonly account?: string;
  /** Calls that one read may take. The default is 1. */
  readonly callsARead?: number;
  /** Interval between reads, which find changes by other programs. */
  readonly readEveryMs: number;
  /** Pause after a change before a key is added. */
  readonly restMs?: number;
  /** Longest time a call can take, if reads are rarer than that. */
  readonly longestCallMs?: number;
  /** Reads all keys. */
  read(takeCall: TakeCall): Promise<Set<string>>;
  /** Makes all changes in one call, or rejects. */
  change(changes: Changes, takeCall: TakeCall): Promise<void>;
  /** Ends open connections. The dictionary can be used again. */
  close(): void;
}

/** A failure at an edge. The console shows the message, which holds no secret. */
export class EdgeError extends Error {
  /** Time that the edge asks to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { readonly retryAfterMs?: number; readonly cause?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : {});
    this.name = "EdgeError";
    this.retryAfterMs = options.retryAfterMs;
  }
}
