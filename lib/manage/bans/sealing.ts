import { troubleOf } from "../../enforce/bans/bans.ts";
import { countPending } from "../../enforce/lists/pending-ban.ts";
import type { ProtectedRange } from "../../enforce/lists/protected.ts";
import type { Environment } from "../../env.ts";
import { isCanonical } from "../../ip/parse.ts";
import { controlConnection } from "../../redis/connections.ts";
import { sealFrom } from "../audit/seal.ts";
import { settleBans } from "../lists/seal-ban.ts";
import { sealPending } from "./seal-pending.ts";

const everyMs = 1_000;
/** Time by which a ban is normally sealed. */
const leftAfterMs = 5_000;
const mostLeft = 500;
const logEveryMs = 60_000;

interface SealingSettings extends Pick<Environment, "redisUrl" | "secret"> {
  /** Protected ranges of the environment. Called when a ban waits; throws if the environment is wrong. */
  readonly protectedRanges: () => readonly ProtectedRange[];
  /** Addresses whose ban is older than this, in ms, and not an entry yet: its pending record may be missing. */
  readonly bansOlderThan?: (ms: number) => readonly string[];
}

/** Records bans as they are made, until the process ends or the returned function is called. */
export function startSealing(
  { redisUrl, secret, protectedRanges, bansOlderThan = () => [] }: SealingSettings,
  log: (line: string) => void = console.warn,
): () => void {
  if (redisUrl === undefined || secret === undefined) return () => {};
  const ctx = { redis: controlConnection(redisUrl), seal: sealFrom(secret) };
  let isBusy = false;
  let trouble: string | undefined;
  const logged = { at: Number.NEGATIVE_INFINITY, count: 0 };
  const sealAll = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      if ((await countPending(ctx.redis)) > 0) {
        const { discarded } = await sealPending({ ...ctx, protectedRanges: protectedRanges() });
        logged.count += discarded.count;
        // A foreign writer could add one each second.
        if (discarded.count > 0 && performance.now() - logged.at > logEveryMs) {
          log(wordsOf({ ...discarded, count: logged.count }));
          Object.assign(logged, { at: performance.now(), count: 0 });
        }
      }
      const left = bansOlderThan(leftAfterMs).filter(isCanonical).slice(0, mostLeft);
      if (left.length > 0) await settleBans({ ...ctx, protectedRanges: protectedRanges() }, left);
      trouble = undefined;
    } catch (error) {
      const found = troubleOf(error);
      // Logged once for each kind of error: it may last.
      if (found && found !== trouble) log(`sluice: bans cannot be recorded: ${found}.`);
      trouble = found;
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void sealAll(), everyMs).unref();
  return () => clearInterval(timer);
}

function wordsOf({ count, reasons }: { count: number; reasons: readonly string[] }): string {
  const shown = [...new Set(reasons)].join("; ").replace(/\p{Cc}/gu, " ");
  return (
    `sluice: ${count} pending ${count === 1 ? "ban was" : "bans were"} discarded: ${shown}. ` +
    "If a rule cannot have made them, find out which app's Redis account wrote them."
  );
}
