import { DomainError } from "../errors.ts";
import type { Memcached } from "./memcached-client.ts";
import { MemcachedConnection, onceOverdue, timeIsUp } from "./memcached-connection.ts";
import { type Address, MemcachedError } from "./memcached-line.ts";
import { type Deadline, MemcachedWeighing } from "./memcached-weighing.ts";
import type { Algorithm, Load, Unweighed, Weighed } from "./plan.ts";
import type { Scales } from "./scales.ts";

export interface MemcachedOptions {
  /** How long an answer may take. */
  readonly withinMs?: number;
  /** Microseconds; instead of this node's own clock. */
  readonly clock?: () => number;
}

export interface MemcachedScales extends Scales {
  /** Once the server has answered for the first time, however long that takes; of an instance, at once. */
  ready(): Promise<void>;
  /** Ends the connection to an address; an instance is its owner's. */
  close(): void;
}

/**
 * Scales on one memcached, for fixed windows. memcached cannot look and charge at once, so a counter is raised, judged by
 * what it then holds, and lowered again for who is denied. More than the limit never pass; in the moment that a charge is
 * on its way back, fewer may. memcached has no clock to ask: this node's decides which window it is, so nodes have to agree
 * on the time to a second.
 *
 * Counters are rack-attack's own, `rack::attack:<window>:<rule>:<client>`, and expire a second after their window. A key that
 * memcached would not take, over 250 bytes or with other than printable ASCII in it, is replaced by its SHA-1 in hex.
 *
 * @param source `memcached://host:port`, one server; or a client, which may spread its keys over many
 * @example
 * requireFixedWindows(policy.rules);
 * const scales = createMemcachedScales("memcached://10.0.0.5:11211");
 */
export function createMemcachedScales(
  source: string | Memcached,
  { withinMs = 40, clock = wallMicros }: MemcachedOptions = {},
): MemcachedScales {
  if (typeof source !== "string") return scalesOn(source, withinMs, clock);
  const connection = new MemcachedConnection(readAddress(source), withinMs);
  return {
    ...scalesOn(connection, withinMs, clock),
    ready: () => connection.ready(),
    close: () => connection.close(),
  };
}

/** What is weighed, step or rule. */
export type Counted = { readonly algorithm: Algorithm } & (
  | { readonly rule: string }
  | { readonly name: string }
);

/** Refuses rules, or steps of a plan, that memcached cannot keep, and names them all. */
export function requireFixedWindows(counted: readonly Counted[]): void {
  const refusal = refusalOf(counted);
  if (refusal) throw new DomainError("bad-input", refusal);
}

function refusalOf(counted: readonly Counted[]): string | undefined {
  const others = counted.filter(({ algorithm }) => algorithm !== "fixed");
  if (others.length === 0) return undefined;
  const rules = others.map((one) => `rule ${"rule" in one ? one.rule : one.name} is ${one.algorithm}`);
  const named = [...new Set(rules)].join(", ");
  return `memcached keeps fixed windows only: ${named}. Choose algorithm "fixed", or counters on Redis.`;
}

function scalesOn(memcached: Memcached, withinMs: number, clock: () => number): MemcachedScales {
  async function on(load: Load, verb: "weigh" | "read"): Promise<Weighed | Unweighed> {
    const refusal = refusalOf(load.plan.steps);
    if (refusal) return unweighed(new MemcachedError("refused", refusal));
    return within(withinMs, (deadline) => new MemcachedWeighing(memcached, load, clock(), deadline)[verb]());
  }
  return {
    weigh: (load) => on(load, "weigh"),
    read: (load) => on(load, "read"),
    ready: async () => {},
    close: () => {},
  };
}

/** What comes later than that is not waited for, and is told so. */
function within(ms: number, ask: (deadline: Deadline) => Promise<Weighed>): Promise<Weighed | Unweighed> {
  return new Promise((resolve) => {
    const deadline = { isPast: false };
    const timer = onceOverdue(ms, () => {
      deadline.isPast = true;
      resolve(unweighed(timeIsUp));
    });
    ask(deadline)
      .catch(unweighed)
      .then((answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
  });
}

/** A client of somebody else's says in words alone what went wrong. */
function unweighed(error: unknown): Unweighed {
  const message = error instanceof Error ? error.message : String(error);
  const worded = /^(SERVER|CLIENT)_ERROR/.test(message) ? "refused" : "away";
  return {
    outcome: "unweighed",
    reason: error instanceof MemcachedError ? error.reason : worded,
    message,
  };
}

function readAddress(text: string): Address {
  const parts = /^memcached:\/\/(\[[\da-fA-F:.]+\]|[\w.-]+)(?::(\d{1,5}))?\/?$/.exec(text.trim());
  const [, host = "", port = "11211"] = parts ?? [];
  const isRead = parts !== null && Number(port) >= 1 && Number(port) <= 65_535;
  if (isRead) return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
  // The address may hold a password, so it is not repeated.
  throw new DomainError(
    "bad-input",
    text.includes(",")
      ? "memcached is one server here: name one host, or give a client that spreads its keys over several."
      : "The address of memcached cannot be read: expected memcached://host:port, without user or password.",
  );
}

const wallMicros = (): number => Date.now() * 1_000;
