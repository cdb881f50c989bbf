import { sealFrom } from "../audit/seal.ts";
import type { Environment } from "../env.ts";
import { controlConnection } from "../redis/roles.ts";
import { countPending } from "./pending.ts";
import { sealPending } from "./seal-pending.ts";
import { troubleOf } from "./trouble.ts";

const everyMs = 1_000;

/** Puts bans on record as they are made, for as long as the process lives or until the returned function is called. */
export function startSealing(
  { redisUrl, secret }: Pick<Environment, "redisUrl" | "secret">,
  log: (line: string) => void = console.warn,
): () => void {
  if (redisUrl === undefined || secret === undefined) return () => {};
  const ctx = { redis: controlConnection(redisUrl), seal: sealFrom(secret) };
  let isBusy = false;
  let trouble: string | undefined;
  const look = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      if ((await countPending(ctx.redis)) > 0) await sealPending(ctx);
      trouble = undefined;
    } catch (error) {
      const found = troubleOf(error);
      // Once for each kind of trouble: it may last.
      if (found && found !== trouble) log(`sluice: bans cannot be put on record: ${found}.`);
      trouble = found;
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void look(), everyMs).unref();
  return () => clearInterval(timer);
}
