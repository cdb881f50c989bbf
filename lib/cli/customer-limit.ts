import { clearOverride } from "../customers/clear-override.ts";
import { readCustomer } from "../customers/read.ts";
import { setOverride } from "../customers/set-override.ts";
import { DomainError } from "../errors.ts";
import { parseDuration } from "../lists/duration.ts";
import type { CustomerId } from "../redis/keys.ts";
import { awaitApplied, sayApplied } from "./applied.ts";
import { type Command, type Report, UsageError } from "./command.ts";
import { customerToJson, sayInForce } from "./customer.ts";
import { readLevels } from "./levels.ts";
import { readCustomerId, readReason } from "./operands.ts";
import type { Options } from "./options.ts";
import type { WritingSession } from "./session.ts";

export const customerLimit: Command = {
  name: "customer limit",
  takes: "<id> <limit/period…>",
  operands: { least: 1, most: Number.POSITIVE_INFINITY },
  summary: "Give a customer levels of its own, instead of its tier's, or take them away",
  about: [
    "A level is a limit and its period: 100/60s, 1000/1h, 10000/1d, sums such as 5000/1d12h. All levels are given",
    "at once: those that the customer had before are replaced. --clear takes them away, and its tier counts again.",
  ],
  options: ["expires", "clear", "reason"],
  examples: [
    "sluice customer limit acme 100/60s 1000/1h 10000/1d",
    'sluice customer limit acme 500/60s --expires 7d --reason "product launch"',
    "sluice customer limit acme --clear",
  ],
  async run({ operands: [name, ...texts], options, writing }) {
    checkUsage(texts, options);
    const id = readCustomerId(name);
    const reason = readReason(options);
    if (options.has("clear")) return clear(await writing(), id, reason);
    const input = { id, levels: readLevels(texts), expiresInMs: readExpires(options), reason };
    const session = await writing();
    const { change } = await setOverride(session.context, input);
    return tell(session, id, "set", change);
  },
};

function checkUsage(texts: readonly string[], options: Options): void {
  const isClearing = options.has("clear");
  if (texts.length === 0 && !isClearing) {
    const missing = `Something is missing: sluice customer limit ${customerLimit.takes}, or --clear`;
    throw new UsageError(missing, customerLimit.name);
  }
  if (isClearing && (texts.length > 0 || options.has("expires")))
    throw new UsageError(
      "--clear takes all levels away: give no level and no --expires with it.",
      customerLimit.name,
    );
}

async function clear(session: WritingSession, id: CustomerId, reason: string): Promise<Report> {
  const { change } = await clearOverride(session.context, { id, reason }).catch(orAbsent);
  return tell(session, id, change === null ? "absent" : "cleared", change);
}

/** What is not there is as good as taken away. */
function orAbsent(error: unknown): { change: null } {
  if (error instanceof DomainError && error.code === "not-found") return { change: null };
  throw error;
}

const sayings = {
  set: "has levels of its own now.",
  cleared: "has no levels of its own any more.",
  absent: "had no levels of its own. Nothing changed.",
};

async function tell(
  { redis, now }: WritingSession,
  id: CustomerId,
  outcome: keyof typeof sayings,
  change: number | null,
): Promise<Report> {
  const applied = await awaitApplied(redis, change);
  const customer = await readCustomer(redis, id);
  return {
    lines: [`${id} ${sayings[outcome]}`, sayInForce(customer, now()), ...sayApplied(change, applied)],
    json: { ...customerToJson(customer), outcome, change, applied },
  };
}

/** Null never ends. */
function readExpires(options: Options): number | null {
  const text = options.text("expires");
  if (text === undefined) return null;
  const parsed = parseDuration(text);
  if (parsed.ok) return parsed.value;
  const problem = "write 90s, 30m, 24h, 7d, 1w or never: a second at least, ten years at most";
  throw new DomainError("bad-input", `--expires: ${problem}.`, { expires: problem });
}
