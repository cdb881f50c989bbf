import { connect, type Socket } from "node:net";
import { onceOverdue } from "../limits/at-most-once.ts";
import type { Unweighed } from "../limits/plan.ts";
import type { Memcached } from "./memcached-scales.ts";

/** A command without an answer. Its reason is that of an `Unweighed`. */
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

/** A command that waits for its reply. */
interface PendingCommand {
  /** Throws on a reply that cannot be one to this command; then `fail` is called. */
  answer(reply: MemcachedReply): void;
  fail(error: MemcachedError): void;
}

/** The connection to a server that is silent for this long, or does not send its version in this time, is made again. */
const hungAfterMs = 1_000;
const shortestPauseMs = 25;
const longestPauseMs = 1_000;

/** A socket that reconnects automatically. It gives each reply to its command: replies come in the order of the commands. */
class MemcachedLine {
  readonly #address: Address;
  #socket: Socket | undefined;
  #pending: PendingCommand[] = [];
  #outgoing = "";
  #isReady = false;
  #isClosed = false;
  #silence: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #trouble = "not connected yet";

  constructor(address: Address) {
    this.#address = address;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** A reply is overdue, and none has come since. */
  get isSilent(): boolean {
    return this.#silence !== undefined;
  }

  away(): MemcachedError {
    return new MemcachedError("away", `memcached is away: ${this.#trouble}`);
  }

  /** The commands of one turn of the event loop go out in one piece. */
  send(words: string, command: PendingCommand): void {
    this.#pending.push(command);
    if (this.#outgoing === "") process.nextTick(() => this.#flush());
    this.#outgoing += words;
  }

  fallSilent(): void {
    this.#silence ??= setTimeout(() => this.#drop("it does not answer"), hungAfterMs).unref();
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

  /** And again whenever the connection is lost. */
  connect(): void {
    const socket = connect({ ...this.#address, noDelay: true, keepAlive: true });
    this.#socket = socket;
    // A command that waits for its reply keeps the process alive with a timer.
    socket.unref();
    this.#trouble = "the connection was closed";
    // One character a byte, because memcached sends lengths in bytes.
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

  /** The kernel of a frozen server still accepts connections: only a reply shows that memcached runs. */
  #greet(): void {
    this.fallSilent();
    const answer = (reply: MemcachedReply) => {
      read.version(reply);
      this.#isReady = true;
      this.#failures = 0;
    };
    this.send("version\r\n", { answer, fail: () => {} });
  }

  /** Gives the whole replies to their commands. Returns the rest of the text. */
  #take(text: string): string {
    let from = 0;
    try {
      for (let parsed = parseReply(text, 0); parsed; parsed = parseReply(text, from)) {
        from = parsed.next;
        clearTimeout(this.#silence);
        this.#silence = undefined;
        const command = this.#pending[0];
        if (!command) throw new Error(`it said "${parsed.reply.line.slice(0, 80)}" unasked`);
        command.answer(parsed.reply);
        this.#pending.shift();
      }
      return text.slice(from);
    } catch (error) {
      // From here on it is unknown which reply is whose.
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
    // Commands that are written still arrive.
    this.#socket?.destroySoon();
    this.#socket = undefined;
    const pending = this.#pending;
    this.#pending = [];
    for (const command of pending) command.fail(this.away());
    if (!this.#isClosed) this.#retry = setTimeout(() => this.connect(), this.#pauseMs()).unref();
  }

  /** Doubles from failure to failure, and differs from node to node. */
  #pauseMs(): number {
    const longest = Math.min(longestPauseMs, shortestPauseMs * 2 ** Math.min(this.#failures++, 10));
    return longest * (0.5 + Math.random() / 2);
  }
}

export const timeIsUp = new MemcachedError("late", "memcached has not answered in time.");

/**
 * One connection to one memcached by its text protocol, pipelined. A command is sent once, or fails at once: as away while there
 * is no connection, as late while a reply is overdue. The line still waits for overdue replies: they come in order, and the
 * first one shows that the server is back. Keys must be such as memcached takes.
 */
export class MemcachedConnection implements Memcached {
  readonly #line: MemcachedLine;
  readonly #withinMs: number;

  /** @param withinMs how long the reply to one command may take */
  constructor(address: Address, withinMs: number) {
    this.#line = new MemcachedLine(address);
    this.#withinMs = withinMs;
  }

  connect(): void {
    this.#line.connect();
  }

  /** The server has answered on this connection. */
  get isReady(): boolean {
    return this.#line.isReady;
  }

  incr(key: string, by: number): Promise<number | undefined> {
    return this.#ask(`incr ${key} ${by}\r\n`, read.count);
  }

  decr(key: string, by: number): Promise<number | undefined> {
    return this.#ask(`decr ${key} ${by}\r\n`, read.count);
  }

  add(key: string, value: string, expiry: number): Promise<boolean> {
    return this.#ask(`add ${key} 0 ${expiry} ${value.length}\r\n${value}\r\n`, read.isStored);
  }

  get(key: string): Promise<string | undefined> {
    return this.#ask(`get ${key}\r\n`, read.value);
  }

  close(): void {
    this.#line.close();
  }

  #ask<T>(words: string, reader: (reply: MemcachedReply) => T): Promise<T> {
    const line = this.#line;
    if (!line.isReady) return Promise.reject(line.away());
    if (line.isSilent) return Promise.reject(timeIsUp);
    return new Promise((resolve, reject) => {
      let isSettled = false;
      const timer = onceOverdue(this.#withinMs, () => {
        if (!isSettled) line.fallSilent();
        reject(timeIsUp);
      });
      const settle = () => {
        isSettled = true;
        clearTimeout(timer);
      };
      line.send(words, {
        answer(reply) {
          if (isRefusal(reply)) reject(new MemcachedError("refused", reply.line));
          else resolve(reader(reply));
          settle();
        },
        fail(error) {
          settle();
          reject(error);
        },
      });
    });
  }
}

/** memcached's reply to one command, by its text protocol. */
export interface MemcachedReply {
  /** Its first line, without the line end. */
  readonly line: string;
  /** The value of the key, one character a byte. */
  readonly data?: string;
}

interface ParsedReply {
  readonly reply: MemcachedReply;
  /** Where the next reply begins. */
  readonly next: number;
}

const end = "\r\n";
const afterData = `${end}END${end}`;
/** No line of memcached's is longer: its longest holds a key of 250 bytes. */
const longestLine = 2_048;

/** The reply that begins at a place of the text so far. Undefined while its end is missing. */
export function parseReply(text: string, from: number): ParsedReply | undefined {
  const lineEnd = text.indexOf(end, from);
  if (lineEnd < 0 && text.length - from > longestLine) return { reply: garbled, next: text.length };
  if (lineEnd < 0) return undefined;
  const line = text.slice(from, lineEnd);
  const start = lineEnd + end.length;
  const bytes = /^VALUE \S+ \d+ (\d+)$/.exec(line)?.[1];
  if (bytes === undefined) return { reply: { line }, next: start };
  const dataEnd = start + Number(bytes);
  const next = dataEnd + afterData.length;
  if (text.length < next) return undefined;
  const isWhole = text.startsWith(afterData, dataEnd);
  return { reply: isWhole ? { line, data: text.slice(start, dataEnd) } : garbled, next };
}

const garbled: MemcachedReply = { line: "something that is not memcached's protocol" };

/** Reads a reply as its command expects it. Each throws on a reply that belongs to another command. */
const read = {
  count({ line }: MemcachedReply): number | undefined {
    if (line === "NOT_FOUND") return undefined;
    if (/^\d+$/.test(line)) return Number(line);
    throw outOfStep(line);
  },
  isStored({ line }: MemcachedReply): boolean {
    if (line === "STORED") return true;
    if (line === "NOT_STORED") return false;
    throw outOfStep(line);
  },
  value({ line, data }: MemcachedReply): string | undefined {
    if (data !== undefined || line === "END") return data;
    throw outOfStep(line);
  },
  version({ line }: MemcachedReply): void {
    if (!line.startsWith("VERSION ")) throw outOfStep(line);
  },
} as const;

/** The reply to a refused command. The commands after it are answered as usual. */
const isRefusal = ({ line }: MemcachedReply): boolean =>
  line.startsWith("SERVER_ERROR") || line.startsWith("CLIENT_ERROR cannot increment or decrement");

const outOfStep = (line: string): Error => new Error(`it answered "${line.slice(0, 80)}"`);
