import { createHash } from "node:crypto";
import { madeOnce } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { type Block, isWhole } from "../../ip/block.ts";
import { readBlock } from "../../ip/parse.ts";
import type { CountersConnection } from "../../redis/connect.ts";
import { counterClient } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { inTime } from "../guard/deadline.ts";
import type { Guard } from "../guard/guard.ts";
import { type GuardParts, partsOfGuard } from "../guard/shared-runtime.ts";
import { AtMostOnce, hashedScript } from "../limits/at-most-once.ts";
import { Generations } from "../limits/generations.ts";
import type { Step, Unweighed } from "../limits/plan.ts";
import { createScales, type Scales } from "../limits/scales.ts";
import { counterKey, laneOf } from "../limits/wire-plan.ts";
import { countedAs } from "../stats/fields.ts";

/** What one client has used of its window. */
export interface WindowCount {
  /** Negative where points were given in advance. */
  readonly used: number;
  /** Until the window ends. */
  readonly resetMs: number;
}

export interface WindowCounterOptions {
  /** The name by which statistics and keys know what is counted. */
  readonly rule: string;
  readonly periodMs: number;
  /** While the counters do not answer: `model` counts in this process, `throw` throws. */
  readonly onStoreError: "model" | "throw";
}

/** The period of a window that never ends: 100 years. lua/window.lua knows it, too. */
export const endlessMs = 100 * 365 * 86_400_000;
export const isEndless = (ms: number) => ms > endlessMs / 2;

type Verb = "read" | "add" | "back" | "set";

const script = hashedScript(lua.window);
const ruleName = /^[A-Za-z0-9_./-]{1,64}$/;
/** A check of the guard waits 40 ms, and then its rule says what happens. Libraries wait for their store. */
const withinMs = 1_000;
/** A store counts each hit, above any limit: the library decides. */
const noLimit = Number.MAX_SAFE_INTEGER;
const keptInProcess = 100_000;

/** Counts for a store of another library in Sluice's counters: windows that begin with a client's first hit. */
export class WindowCounter {
  readonly #parts: GuardParts;
  readonly #options: WindowCounterOptions;
  readonly #step: Step;
  readonly #model = new ModelWindows();
  readonly #connection: CountersConnection | undefined;
  readonly #caller: AtMostOnce | undefined;

  constructor(guard: Guard, options: WindowCounterOptions) {
    const { rule, periodMs } = options;
    if (!ruleName.test(rule)) {
      const problem = "write a name of letters, digits and _ . / -, at most 64";
      throw new DomainError("bad-input", `rule: ${problem}.`, { rule: problem });
    }
    this.#parts = partsOfGuard(guard);
    this.#options = options;
    this.#step = {
      ...{ rule, algorithm: "first-hit", limit: noLimit, periodSeconds: periodMs / 1_000 },
      ...{ overageWeight: 1, isShadowed: false },
    };
    const { connection, keepsFixedWindowsOnly } = this.#parts.counters.store;
    if (keepsFixedWindowsOnly) {
      const problem = "memcached keeps no windows from the first hit. Set counters of the guard to a Redis";
      throw new DomainError("bad-input", `${problem}.`, { counters: problem });
    }
    this.#connection = connection;
    this.#caller = connection && new AtMostOnce(connection);
  }

  /** Adds to a window, and opens one if there is none. @param amount whole; may be negative */
  async add(key: string, amount: number, periodMs = this.#options.periodMs): Promise<WindowCount> {
    const { counters } = this.#parts;
    const client = clientOfKey(key);
    if (!this.#connection || amount <= 0 || periodMs !== this.#options.periodMs)
      return this.#run("add", client, amount, periodMs);
    await this.#isOpen();
    const request = { plan: this.#plan, clients: [client], costs: [amount] };
    const weighed = await patientScales(this.#connection).weigh(request);
    if (weighed.outcome === "unweighed") return this.#without(weighed, "add", client, amount, periodMs);
    counters.noteAnswered();
    const [reading] = weighed.readings;
    // Less than nothing is used: only the script counts on from there.
    if (!reading || weighed.trouble.length > 0) return this.#run("add", client, amount, periodMs);
    if (isEndless(reading.resetMs) && !isEndless(periodMs)) return this.#run("add", client, 0, periodMs);
    return { used: reading.used + amount, resetMs: reading.resetMs };
  }

  /** Undefined if no window is open. */
  async read(key: string): Promise<WindowCount | undefined> {
    const { wasOpen, ...count } = await this.#run("read", clientOfKey(key), 0, this.#options.periodMs);
    return wasOpen ? count : undefined;
  }

  /** Takes back at most what was used. */
  async takeBack(key: string, amount: number): Promise<void> {
    await this.#run("back", clientOfKey(key), amount, this.#options.periodMs);
  }

  /** Begins a new window in which so much was used. */
  async set(key: string, amount: number, periodMs: number): Promise<WindowCount> {
    return this.#run("set", clientOfKey(key), amount, periodMs);
  }

  /** False if there was no window. */
  async delete(key: string): Promise<boolean> {
    const client = clientOfKey(key);
    const wasInModel = this.#model.delete(client);
    if (!this.#connection) return wasInModel;
    try {
      return (await this.#connection.del(this.#keyOf(client))) > 0;
    } catch (error) {
      if (this.#options.onStoreError === "throw") throw error;
      return wasInModel;
    }
  }

  /** Adds a decision of the library to the statistics. */
  note(key: string, isDenied: boolean, startedAt: number): void {
    const address = addressOf(key);
    const { rule } = this.#options;
    const decision = {
      outcome: isDenied ? ("throttled" as const) : ("pass" as const),
      ...{ rule: isDenied ? rule : undefined, deniedBy: isDenied ? rule : undefined },
      ...{ counted: address ? undefined : clientOfKey(key), network: address && countedAs(address) },
      ...{ shadowed: [], isUnsure: false, customerId: undefined, isCustomerUnknown: false },
      tookMs: performance.now() - startedAt,
    };
    const text = { ip: address ? key : "", method: "", host: "", path: "", userAgent: "" };
    this.#parts.node.reporter.note(decision, () => text);
  }

  get #plan() {
    return planOf(this.#step);
  }

  async #run(verb: Verb, client: string, amount: number, periodMs: number): Promise<OpenedCount> {
    if (!this.#caller) return this.#model.run(verb, client, amount, periodMs);
    await this.#isOpen();
    const words = [this.#keyOf(client), verb, String(amount), String(periodMs * 1_000)];
    const reply = await this.#caller.call(script, laneOf(client), 1, words, withinMs);
    if ("outcome" in reply) return this.#without(reply, verb, client, amount, periodMs);
    const [used = 0, resetMicros = 0, wasOpen = 0] = reply;
    return { used, resetMs: Math.ceil(resetMicros / 1_000), wasOpen: wasOpen === 1 };
  }

  /** The first requests of a process may be faster than its connection. */
  async #isOpen(): Promise<void> {
    const { opening } = this.#parts.counters.store;
    if (opening) await inTime(opening, performance.now() + withinMs);
  }

  #without(why: Unweighed, verb: Verb, client: string, amount: number, periodMs: number): OpenedCount {
    this.#parts.counters.noteUnavailable(why);
    if (this.#options.onStoreError === "model") return this.#model.run(verb, client, amount, periodMs);
    throw new DomainError("redis-unavailable", `The counters cannot be read: ${why.message}`);
  }

  #keyOf(client: string): string {
    return counterKey(this.#step, client, 0, this.#connection?.isCluster ?? false);
  }
}

const scales = new WeakMap<CountersConnection, Scales>();

/** One for all counters of a connection, so that what arrives together is one call. */
function patientScales(connection: CountersConnection): Scales {
  return madeOnce(scales, connection, () => createScales(connection, { withinMs }));
}

interface OpenedCount extends WindowCount {
  readonly wasOpen: boolean;
}

/** The same windows in this process. */
class ModelWindows {
  readonly #windows = new Generations<{ used: number; endsAt: number }>(keptInProcess);

  run(verb: Verb, client: string, amount: number, periodMs: number): OpenedCount {
    const now = performance.now();
    const known = this.#windows.get(client);
    const wasOpen = known !== undefined && known.endsAt > now;
    const held = wasOpen ? known : { used: 0, endsAt: now + periodMs };
    const window = changed(verb, held, amount, now + periodMs);
    if (verb === "add" || verb === "set" || (verb === "back" && wasOpen)) this.#windows.set(client, window);
    return { used: window.used, resetMs: Math.ceil(window.endsAt - now), wasOpen };
  }

  delete(client: string): boolean {
    const known = this.#windows.get(client);
    if (known) this.#windows.set(client, { used: 0, endsAt: Number.NEGATIVE_INFINITY });
    return known !== undefined && known.endsAt > performance.now();
  }
}

function changed(verb: Verb, held: { used: number; endsAt: number }, amount: number, endsAt: number) {
  if (verb === "set") return { used: amount, endsAt };
  if (verb === "add") {
    const isEnding = isEndless(held.endsAt) && !isEndless(endsAt);
    return { used: held.used + amount, endsAt: isEnding ? endsAt : held.endsAt };
  }
  return verb === "back" ? { ...held, used: Math.max(0, held.used - amount) } : held;
}

const plans = new Map<string, { readonly steps: readonly Step[] }>();

/** Counters of one name share a plan, so that they are weighed together. */
function planOf(step: Step): { readonly steps: readonly Step[] } {
  return madeOnce(plans, `${step.rule} ${step.periodSeconds}`, () => ({ steps: [step] }));
}

/**
 * Counters ignore case and outer spaces, as rack-attack does. Libraries do not, and their keys may be tokens: what would become
 * another's key has a digest of its own.
 */
function clientOfKey(key: string): string {
  const client = counterClient(key);
  if (client === key) return key;
  return `${client}~${createHash("sha256").update(key).digest("hex").slice(0, 16)}`;
}

function addressOf(key: string): Block | undefined {
  const block = readBlock(key);
  return block && (isWhole(block) || block.family === 6) ? block : undefined;
}
