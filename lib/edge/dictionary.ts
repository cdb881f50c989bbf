/** Changes of a dictionary, by key: the lower-case hex SHA-1 of a fingerprint. */
export interface Changes {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Leave for one call. It rejects when the hour's calls are spent. */
export type AskLeave = () => Promise<void>;

/** Where an edge looks up who is limited. What it is told may be told again: everything here can be repeated. */
export interface Dictionary {
  readonly kind: "fastly" | "varnish" | "haproxy";
  /** As people know it, and free of secrets: "varnish 127.0.0.1:6082". */
  readonly name: string;
  /** How many keys fit. Of more, the worst are kept. */
  readonly capacity: number;
  /** How many changes one call can make. */
  readonly changesACall: number;
  /** How many calls an hour are allowed, where somebody counts them. */
  readonly callsAnHour?: number;
  /** Under which name they count together with those to other dictionaries; its own unless given. */
  readonly account?: string;
  /** How many calls a look at it may take; one unless given. */
  readonly callsALook?: number;
  /** How often to look whether somebody else has changed it. */
  readonly lookEveryMs: number;
  /** How long it wants to rest after a change before somebody new is added. */
  readonly restMs?: number;
  /** How long a call may go on, where looks are rarer than that. */
  readonly callLastsMs?: number;
  /** Every key that is there now. */
  read(askLeave: AskLeave): Promise<Set<string>>;
  /** Makes the changes in one call: all of them, or it rejects. */
  change(changes: Changes, askLeave: AskLeave): Promise<void>;
  /** Lets go of what is open; it may be used again. */
  close(): void;
}

/** An edge refused, and says what to do. The words are shown to people, and hold no secret. */
export class EdgeError extends Error {
  /** It wants to be left alone for so long. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { readonly retryAfterMs?: number; readonly cause?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : {});
    this.name = "EdgeError";
    this.retryAfterMs = options.retryAfterMs;
  }
}
