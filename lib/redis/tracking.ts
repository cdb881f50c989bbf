import type { Connection } from "./connect.ts";
import { tracked } from "./keys.ts";

const channel = "__redis__:invalidate";

/**
 * CLIENT TRACKING over two connections: Redis announces what is written to the listener, because the feed armed it so.
 * ioredis drops RESP3 pushes, hence the second connection, which speaks RESP2.
 */
export class Tracking {
  readonly #feed: Connection;
  readonly #listener: Connection;
  /** Who listens, and on which server; set once it does. */
  #target: { readonly id: number; readonly server: string } | undefined;

  constructor(feed: Connection, listener: Connection) {
    this.#feed = feed;
    this.#listener = listener;
    listener.on("close", () => {
      this.#target = undefined;
    });
  }

  get isPossible(): boolean {
    return this.#feed.status === "ready" && this.#listener.status === "ready";
  }

  /** From when this returns, every write is announced. */
  async arm(): Promise<void> {
    const target = await this.#listen();
    // After a failover by address the two may have met different servers, where an id says nothing.
    if ((await serverOf(this.#feed)) !== target.server)
      throw new Error("its two connections lead to different servers");
    await this.#feed.client("TRACKING", "OFF");
    const prefixes = tracked.flatMap((prefix) => ["PREFIX", prefix]);
    await this.#feed.call("CLIENT", "TRACKING", "ON", "REDIRECT", target.id, "BCAST", ...prefixes);
  }

  /** A lost target, or a feed that no longer tracks, is silent by itself. */
  async isIntact(): Promise<boolean> {
    // ["flags", [...], "redirect", id, "prefixes", [...]]
    const info = await this.#feed.call("CLIENT", "TRACKINGINFO");
    if (!Array.isArray(info) || !Array.isArray(info[1])) return false;
    const flags: unknown[] = info[1];
    return flags.includes("on") && !flags.includes("broken_redirect") && info[3] === this.#target?.id;
  }

  /** Returns once everything that Redis announced before it was asked has been heard. */
  async barrier(): Promise<void> {
    await this.#listener.ping();
  }

  async #listen() {
    if (this.#target) return this.#target;
    const [id, server] = [await this.#listener.client("ID"), await serverOf(this.#listener)];
    await this.#listener.subscribe(channel);
    this.#target = { id, server };
    return this.#target;
  }
}

/** Redis' name for this run of the server; none where the user may not ask for it. */
async function serverOf(connection: Connection): Promise<string> {
  const info = await connection.info("server").catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith("NOPERM")) return "";
    throw error;
  });
  return /run_id:(\w+)/.exec(info)?.[1] ?? "";
}
