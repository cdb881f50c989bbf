import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import type { AuditEnd } from "./chain.ts";
import type { Seal } from "./seal.ts";
import { readFields } from "./stored.ts";

const everyMs = 10_000;

interface EndWatchOptions {
  readonly redis: Connection;
  readonly seal: Seal;
  readonly log: (line: string) => void;
}

/**
 * Remembers the furthest end of the audit log that this process has seen. A writer to Redis that kept an earlier end of the
 * log can put all of it back, and the log verifies. This memory lies elsewhere.
 */
export class AuditEndWatch {
  readonly #options: EndWatchOptions;
  #seen: AuditEnd | undefined;
  #isWrong = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EndWatchOptions) {
    this.#options = options;
  }

  get seen(): AuditEnd | undefined {
    return this.#seen;
  }

  start(): this {
    this.#timer ??= setInterval(() => void this.look(), everyMs).unref();
    void this.look();
    return this;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Never throws. Without an answer of Redis, nothing changes. */
  async look(): Promise<void> {
    const end = await this.#readEnd().catch(() => undefined);
    if (!end) return;
    if (await this.#continues(end).catch(() => undefined)) {
      this.#seen = end === "none" ? this.#seen : end;
      this.#isWrong = false;
    }
  }

  async #readEnd(): Promise<AuditEnd | "none" | undefined> {
    const { redis, seal } = this.#options;
    const [n, mac, proof] = await redis.hmget(keys.auditHead(), "n", "mac", "proof");
    if (n == null || mac == null) return "none";
    const end = { n: Number(n), mac };
    return seal.end(end.n, mac) === proof ? end : undefined;
  }

  /** Whether the log continues the end that was seen. */
  async #continues(end: AuditEnd | "none"): Promise<boolean> {
    const seen = this.#seen;
    if (!seen) return true;
    if (end === "none" || end.n < seen.n) {
      const where = end === "none" ? "is gone" : `ends with record ${end.n}`;
      return this.#complain(`The audit log ${where}, but this console has seen record ${seen.n}`);
    }
    const rows = await this.#options.redis.xrange(keys.audit(), `${seen.n}-0`, `${seen.n}-0`);
    const [, fields = []] = rows[0] ?? [];
    if (readFields(fields).mac === seen.mac) return true;
    return this.#complain(`Record ${seen.n} of the audit log is not the one that this console has seen`);
  }

  /** Logs once, as long as it lasts. */
  #complain(what: string): false {
    if (!this.#isWrong)
      this.#options.log(
        `sluice: ${what}: it was put back, or Redis lost it. Find out who can write to Redis, and compare with a backup.`,
      );
    this.#isWrong = true;
    return false;
  }
}

/** The number of the newest record, as its head says; 0 without a log. For a monitor, which remembers it elsewhere. */
export async function readAuditRecords(redis: Connection): Promise<number> {
  const n = await redis.hget(keys.auditHead(), "n").catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith("WRONGTYPE")) return null;
    throw error;
  });
  return Number(n) || 0;
}
