import { errorLine } from "../../errors.ts";
import { Lease, repeat } from "../../redis/lease.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { type FeedDefinition, findFeed, readFeeds } from "./definition.ts";
import { keepNamed } from "./feed-contents.ts";
import { syncAllKeys } from "./feed-keys.ts";
import { readStates } from "./feed-state.ts";
import { type FeedContext, noteFailure, refreshFeed } from "./refresh.ts";

interface RefresherOptions {
  readonly context: Omit<FeedContext, "actor">;
  readonly everyMs?: number;
  readonly log?: (line: string) => void;
}

/** Longer than the slowest feed takes, with the rest after it: another process takes over so late after a death. */
const leaseMs = 90_000;

/** Reads each feed when it is due. Of all consoles, one does. */
export class FeedRefresher {
  readonly #context: Omit<FeedContext, "actor">;
  readonly #everyMs: number;
  readonly #log: (line: string) => void;
  readonly #lease: Lease;
  readonly #end = new AbortController();
  /** What was logged last of each feed. */
  readonly #causes = new Map<string, string>();
  #hasFailed = false;

  constructor({ context, everyMs = 5_000, log = console.warn }: RefresherOptions) {
    this.#context = context;
    this.#everyMs = everyMs;
    this.#log = log;
    this.#lease = new Lease(context.redis, "feeds", leaseMs);
  }

  async run(): Promise<void> {
    await repeat(this.#end.signal, this.#everyMs, () => this.once());
    await this.#lease.release();
  }

  stop(): void {
    this.#end.abort();
  }

  /** Refreshes what is due. Returns how many feeds were read. */
  async once(): Promise<number> {
    try {
      if (!(await this.#lease.isOurs())) return 0;
      const due = await this.#due();
      for (const { id } of due) {
        // A feed before it may have taken a minute.
        const feed = await findFeed(this.#context.redis, id);
        if (feed && !feed.isPaused) await this.#refresh(feed);
        if (!(await this.#lease.isOurs())) return 0;
      }
      await syncAllKeys(this.#context);
      this.#hasFailed = false;
      return due.length;
    } catch (error) {
      if (!this.#hasFailed) this.#log(`sluice: feeds cannot be refreshed. Retrying. ${errorLine(error)}`);
      this.#hasFailed = true;
      return 0;
    }
  }

  async #due(): Promise<FeedDefinition[]> {
    const { redis } = this.#context;
    const [feeds, states, now] = await Promise.all([readFeeds(redis), readStates(redis), redisNow(redis)]);
    // A console that ended between a change and this leaves contents and secrets that expire.
    for (const feed of feeds) await keepNamed(redis, undefined, feed);
    return feeds.filter(({ id, isPaused }) => !isPaused && (states.get(id)?.nextAt ?? 0) <= now);
  }

  async #refresh(feed: FeedDefinition): Promise<void> {
    const actor = { name: `feed:${feed.id}`, via: "feed" };
    const ctx = { ...this.#context, actor };
    // Feeds after this one have their turn all the same, unless Redis is away.
    const outcome = await refreshFeed(ctx, feed).catch((error) => noteFailure(ctx, feed, errorLine(error)));
    const why = outcome.is === "failed" ? outcome.cause : "";
    if (why !== "" && why !== this.#causes.get(feed.id))
      this.#log(`sluice: the feed ${feed.id} is not refreshed: ${why}`);
    this.#causes.set(feed.id, why);
  }
}
