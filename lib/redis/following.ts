import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Connection } from "./connect.ts";
import { keys, tracked } from "./keys.ts";

/** What a SET, a HSET, a DEL and an expiry announce; a server that sends these sends what list and customer writes cause. */
const wanted = ["hset", "del", "set", "expire"];
const answerWithinMs = 500;

/**
 * Keyspace notifications, where the server sends them: they announce what programs other than Sluice write. Whether it sends
 * them is found by a probe, because most managed servers do not let CONFIG be read.
 */
export class Notifications {
  readonly #feed: Connection;
  readonly #listener: Connection;
  readonly #probe = keys.notificationProbe(randomBytes(6).toString("hex"));
  readonly #channelStart: string;
  readonly #seen = new Set<string>();
  #isSubscribed = false;
  #isOn = false;

  constructor(feed: Connection, listener: Connection, hear: Hear) {
    this.#feed = feed;
    this.#listener = listener;
    this.#channelStart = `__keyspace@${feed.options.db ?? 0}__:`;
    listener.on("close", () => this.stop());
    listener.on("pmessageBuffer", (_pattern: string, channel: Buffer, event: Buffer) => {
      const key = channel.toString().slice(this.#channelStart.length);
      if (key === this.#probe) this.#seen.add(event.toString());
      else hear([key]);
    });
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  stop(): void {
    this.#isSubscribed = false;
    this.#isOn = false;
  }

  /** From when this resolves, no notification is missed. An account that may not subscribe gets none. */
  async subscribe(): Promise<void> {
    if (this.#isSubscribed) return;
    const patterns = [...tracked.map((prefix) => `${prefix}*`), this.#probe];
    try {
      await this.#listener.psubscribe(...patterns.map((pattern) => this.#channelStart + pattern));
      this.#isSubscribed = true;
    } catch {
      // A refusal, or a connection that closed: its close is reported where both connections are watched.
      this.#isOn = false;
    }
  }

  /** Finds out whether the server sends them. Takes half a second where it does not. */
  async look(): Promise<void> {
    await this.subscribe();
    if (!this.#isSubscribed) return;
    try {
      this.#seen.clear();
      await this.#feed
        .multi()
        .hset(this.#probe, "probe", "1")
        .del(this.#probe)
        .set(this.#probe, "1", "PX", 5_000)
        .exec();
      const deadline = performance.now() + answerWithinMs;
      // A reply on the listener's connection comes after what Redis sent there before; a proxy may be slower.
      while (!this.#hasSeenAll && performance.now() < deadline) {
        await this.#listener.ping();
        if (!this.#hasSeenAll) await pause(20, undefined, { ref: false });
      }
      this.#isOn = this.#isSubscribed && this.#hasSeenAll;
    } catch {
      // As above.
      this.#isOn = false;
    }
  }

  get #hasSeenAll(): boolean {
    return wanted.every((event) => this.#seen.has(event));
  }
}

/**
 * How a process learns of writes. tracking: Redis announces each written key. notifications: changes by Sluice are polled,
 * keyspace notifications announce what others write. polling: what others write is found by scanning.
 */
export const followingWays = ["tracking", "notifications", "polling"] as const;
export type FollowingWay = (typeof followingWays)[number];

export interface FollowingState {
  readonly by: FollowingWay;
  /** A write by another program, such as redis-cli, takes effect within this time. */
  readonly othersWithinMs: number;
  /** Why client tracking is not used. Undefined while it is. */
  readonly because?: string;
}

/** One way to learn of writes. */
export interface Following {
  /** From when this resolves, no write is missed. */
  arm(): Promise<void>;
  /** False when writes may have been missed, so everything must be read again. */
  isIntact(): Promise<boolean>;
  /** Resolves once every change by Sluice from before the call has been heard. */
  barrier(): Promise<void>;
  /** Stops until it is armed again. */
  disarm(): void;
}

/** Receives the written keys, or null when any key may have been written. */
export type Hear = (written: readonly string[] | null) => void;

/** Announcements arrive within this time, on a network that works. */
export const announcedWithinMs = 250;

/** The consequence of the way in use, for logs, `doctor` and the console. */
export function sayFollowing({ by, othersWithinMs, because }: FollowingState): string {
  if (by === "tracking") return "Redis announces each write (client tracking).";
  const reason = `Client tracking is not available (${because?.replace(/\.$/, "")}).`;
  const change = "Changes by Sluice take effect within 0.5 s.";
  const others = `Writes by redis-cli and other programs take effect within ${sayWithin(othersWithinMs)}`;
  return by === "notifications"
    ? `${reason} ${change} ${others}, through keyspace notifications.`
    : `${reason} ${change} ${others}. ${notificationsAdvice}`;
}

export const notificationsAdvice =
  'With keyspace notifications on (notify-keyspace-events "Kg$hx"), they take effect within 0.25 s.';

/** "0.25 s", "30 s", "2 min". */
export function sayWithin(ms: number): string {
  const seconds = ms / 1_000;
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

const channel = "__redis__:invalidate";

/**
 * CLIENT TRACKING over two connections: Redis announces what is written to the listener, because the feed armed it so.
 * ioredis drops RESP3 pushes, hence the second connection, which speaks RESP2.
 */
export class Tracking implements Following {
  readonly #feed: Connection;
  readonly #listener: Connection;
  /** Who listens, and on which server; set once it does. */
  #target: { readonly id: number; readonly server: string } | undefined;

  constructor(feed: Connection, listener: Connection, hear: Hear) {
    this.#feed = feed;
    this.#listener = listener;
    listener.on("close", () => {
      this.#target = undefined;
    });
    listener.on("messageBuffer", (_channel: Buffer, written: Buffer[] | null) =>
      // FLUSHALL and FLUSHDB announce no key.
      hear(written?.map((key) => key.toString()) ?? null),
    );
  }

  async arm(): Promise<void> {
    const target = await this.#listen();
    // After a failover by address the two may have met different servers, where an id says nothing.
    if ((await serverOf(this.#feed)) !== target.server)
      throw new Error("its two connections lead to different servers");
    await this.#feed.client("TRACKING", "OFF");
    const prefixes = tracked.flatMap((prefix) => ["PREFIX", prefix]);
    await this.#feed.call("CLIENT", "TRACKING", "ON", "REDIRECT", target.id, "BCAST", ...prefixes);
  }

  /** A lost target, or a feed that no longer tracks, gives no sign. */
  async isIntact(): Promise<boolean> {
    // ["flags", [...], "redirect", id, "prefixes", [...]]
    const info = await this.#feed.call("CLIENT", "TRACKINGINFO");
    if (!Array.isArray(info) || !Array.isArray(info[1])) return false;
    const flags: unknown[] = info[1];
    return flags.includes("on") && !flags.includes("broken_redirect") && info[3] === this.#target?.id;
  }

  /** A reply on the listener's connection comes after every announcement that Redis sent before it. */
  async barrier(): Promise<void> {
    await this.#listener.ping();
  }

  /** Redis stops announcing when the feed's connection closes, or on this command. The next way does not depend on it. */
  disarm(): void {
    if (this.#feed.status === "ready") this.#feed.client("TRACKING", "OFF").catch(() => {});
  }

  async #listen() {
    if (this.#target) return this.#target;
    const [id, server] = [await this.#listener.client("ID"), await serverOf(this.#listener)];
    await this.#listener.subscribe(channel);
    this.#target = { id, server };
    return this.#target;
  }
}

/**
 * Redis answered that this account or this server has no client tracking as it is used here. A redirection to a client
 * that is gone is not such an answer: the client comes back.
 */
export function isTrackingRefused(error: unknown): error is Error {
  if (!(error instanceof Error) || error.name !== "ReplyError") return false;
  return /^(NOPERM|ERR) /.test(error.message) && !error.message.includes("does not exist");
}

/** Redis' name for this run of the server; none where the user may not ask for it. */
async function serverOf(connection: Connection): Promise<string> {
  const info = await connection.info("server").catch((error: unknown) => {
    if (error instanceof Error && error.name === "ReplyError" && /^(NOPERM|ERR) /.test(error.message))
      return "";
    throw error;
  });
  return /run_id:(\w+)/.exec(info)?.[1] ?? "";
}
