import { connect, type Socket } from "node:net";
import { parseReply, type Reply, read } from "./memcached-replies.ts";
import type { Unweighed } from "./plan.ts";

/** Why a command has no answer, in the words of an `Unweighed`. */
export class MemcachedError extends Error {
  override readonly name = "MemcachedError";
  readonly reason: Unweighed["reason"];

  constructor(reason: Unweighed["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Who waits for a reply. */
export interface Asker {
  /** Throws on a reply that cannot be one to its command; it is then told that it failed. */
  answer(reply: Reply): void;
  fail(error: MemcachedError): void;
}

/** A server that was silent for so long is connected to anew; so is one that does not say its version in that time. */
const hungAfterMs = 1_000;
const shortestPauseMs = 25;
const longestPauseMs = 1_000;

/** A connection that comes back by itself, and whose answers are handed out in the order of the commands. */
export class MemcachedLine {
  readonly ready: Promise<void>;
  readonly #address: Address;
  #announceReady: () => void = () => {};
  #socket: Socket | undefined;
  #askers: Asker[] = [];
  #outgoing = "";
  #isReady = false;
  #isClosed = false;
  #silence: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #trouble = "not connected yet";

  constructor(address: Address) {
    this.#address = address;
    this.ready = new Promise((resolve) => {
      this.#announceReady = resolve;
    });
    this.#connect();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** An answer is overdue, and none has come since. */
  get isSilent(): boolean {
    return this.#silence !== undefined;
  }

  away(): MemcachedError {
    return new MemcachedError("away", `memcached is away: ${this.#trouble}`);
  }

  /** What one turn of the event loop sends goes out in one piece. */
  send(words: string, asker: Asker): void {
    this.#askers.push(asker);
    if (this.#outgoing === "") process.nextTick(() => this.#flush());
    this.#outgoing += words;
  }

  fallSilent(): void {
    this.#silence ??= setTimeout(() => this.#drop("it does not answer"), hungAfterMs);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#flush();
    this.#drop("closed");
  }

  #flush(): void {
    if (this.#outgoing !== "") this.#socket?.write(this.#outgoing, "latin1");
    this.#outgoing = "";
  }

  #connect(): void {
    const socket = connect({ ...this.#address, noDelay: true, keepAlive: true });
    this.#socket = socket;
    this.#trouble = "the connection was closed";
    // One character a byte, for memcached tells lengths in bytes.
    socket.setEncoding("latin1");
    let unread = "";
    socket.on("data", (text: string) => {
      if (socket === this.#socket) unread = this.#take(unread + text);
    });
    socket.on("error", ({ message }) => {
      if (socket === this.#socket) this.#trouble = message;
    });
    socket.on("close", () => {
      if (socket === this.#socket) this.#drop(this.#trouble);
    });
    this.#greet();
  }

  /** A frozen server's kernel still accepts connections: only an answer shows that somebody is there. */
  #greet(): void {
    this.fallSilent();
    const answer = (reply: Reply) => {
      read.version(reply);
      this.#isReady = true;
      this.#failures = 0;
      this.#announceReady();
    };
    this.send("version\r\n", { answer, fail: () => {} });
  }

  /** Hands out the replies that are whole; gives back what is left. */
  #take(text: string): string {
    let from = 0;
    try {
      for (let parsed = parseReply(text, 0); parsed; parsed = parseReply(text, from)) {
        from = parsed.next;
        clearTimeout(this.#silence);
        this.#silence = undefined;
        const asker = this.#askers[0];
        if (!asker) throw new Error(`it said "${parsed.reply.line.slice(0, 80)}" unasked`);
        asker.answer(parsed.reply);
        this.#askers.shift();
      }
      return text.slice(from);
    } catch (error) {
      // From here on nobody knows which answer is whose.
      this.#drop(error instanceof Error ? error.message : String(error));
      return "";
    }
  }

  #drop(trouble: string): void {
    this.#trouble = trouble;
    this.#isReady = false;
    clearTimeout(this.#silence);
    this.#silence = undefined;
    this.#outgoing = "";
    // What was written shall still arrive.
    this.#socket?.destroySoon();
    this.#socket = undefined;
    const askers = this.#askers;
    this.#askers = [];
    for (const asker of askers) asker.fail(this.away());
    if (!this.#isClosed) this.#retry = setTimeout(() => this.#connect(), this.#pauseMs());
  }

  /** Doubles from failure to failure, and differs from node to node. */
  #pauseMs(): number {
    const longest = Math.min(longestPauseMs, shortestPauseMs * 2 ** Math.min(this.#failures++, 10));
    return longest * (0.5 + Math.random() / 2);
  }
}
