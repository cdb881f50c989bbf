import { DomainError } from "../../errors.ts";
import { blockOf, type Cidr, type Ip, parseAddress } from "../../ip/parse.ts";
import { loopback } from "../../ip/range-list.ts";
import type { ListName } from "../../redis/keys.ts";
import { parseCustomerId } from "../customers/id.ts";
import { lifeProblem, writeNote } from "../lists/entry.ts";
import { refusal } from "../lists/lockout.ts";
import { protector } from "../lists/protected.ts";
import { CompiledPolicy } from "../policy/compile.ts";
import { type Level, requireLevels } from "../policy/levels.ts";
import { type PolicyInput, requirePolicy } from "../policy/schema.ts";
import { type Guard, type GuardOptions, guardOn } from "./guard.ts";
import type { Limit } from "./limit.ts";
import { inMemory, readOptions } from "./options.ts";
import { decideCounted, readClient } from "./pipeline.ts";
import type { GuardRequest } from "./request.ts";
import { openInMemory } from "./shared-runtime.ts";
import { type Verdict, verdict } from "./verdict.ts";

export type { Guard } from "./guard.ts";
export type { GuardRequest } from "./request.ts";
export type { Verdict } from "./verdict.ts";

export interface TestGuardOptions
  extends Pick<
    GuardOptions,
    "policy" | "clients" | "edgeHeaders" | "trustedProxies" | "neverBlock" | "rateLimitHeaders" | "log"
  > {
  /** What is protected, for rules with `apps`. "test" by default. */
  readonly app?: string | undefined;
  /** Addresses and ranges. */
  readonly safelist?: readonly string[] | undefined;
  readonly blocklist?: readonly string[] | undefined;
  /** By id. */
  readonly customers?: Readonly<Record<string, TestCustomer>> | undefined;
  /**
   * The time of the guard's clock, or a function that returns it in ms, such as `Date.now` under the fake timers of a test runner. The first moment of 2026 by default, at which windows begin.
   */
  readonly now?: Date | number | (() => number) | undefined;
}

export interface TestCustomer {
  /** A tier of the policy. */
  readonly tier?: string | undefined;
  /** Limits of its own, in place of its tier's. */
  readonly limits?: readonly Level[] | undefined;
  readonly isSuspended?: boolean | undefined;
}

export interface TestEntry {
  readonly reason?: string | undefined;
  /** The life of the entry. It never expires by default. */
  readonly ttlMs?: number | undefined;
}

/** A guard for tests: what it decides by, and its clock, are the test's. */
export interface TestGuard extends Guard {
  /** The requests that were checked, in their order. */
  readonly checked: readonly GuardRequest[];
  /** Moves the clock on: windows end, and entries expire. */
  advance(ms: number): void;
  /** Throws if lockout protection refuses the address. */
  block(address: string, entry?: TestEntry): void;
  unblock(address: string): void;
  safelist(address: string, entry?: TestEntry): void;
  /** Counts stay, as they do when a policy is published. */
  setPolicy(policy: PolicyInput): void;
  /** Replaces tier, limits and suspension of a customer; `{}` takes all away. */
  setCustomer(id: string, customer: TestCustomer): void;
  /** Each next check, also of a limit, returns this verdict, uncounted; undefined ends that. */
  answer(verdict: Verdict | undefined): void;
}

/** Windows of a second up to a week begin here. */
const beginning = Date.UTC(2026, 0, 1);
/** Tests may compare digests of headers and cookies from run to run. */
const digestKey = "test";

/**
 * A guard without Redis, whose clock moves only when the test advances it. It decides as any guard does. Without a trusted proxy
 * it believes the `X-Forwarded-For` of a client on this machine, and of a request without a socket, so that a test names the client
 * by this header.
 *
 * @example
 * const guard = createTestGuard({ policy, blocklist: ["203.0.113.0/24"] });
 * await guard.check({ ip: "203.0.113.9" }); // { outcome: "blocked", status: 403, … }
 * guard.unblock("203.0.113.0/24");
 * guard.advance(60_000);
 * @example
 * guard.answer(verdicts.throttled({ rule: "login", retryAfterSeconds: 30 }));
 */
export function createTestGuard(options: TestGuardOptions = {}): TestGuard {
  const { safelist = [], blocklist = [], customers = {}, now = beginning, app = "test", ...others } = options;
  const settings = readOptions({ trustedProxies: loopbackProxies, ...others, redis: inMemory, app });
  let aheadMs = 0;
  const clock = () => (typeof now === "function" ? now() : Number(now)) + aheadMs;
  const runtime = openInMemory({ ...settings, clock, digestKey });
  const { node } = runtime;
  const guard = guardOn(runtime, settings);
  const { check, limit, clientAddress } = guard;
  const checked: GuardRequest[] = [];
  let answer: Verdict | undefined;

  function add(list: ListName, text: string, { reason = "", ttlMs }: TestEntry = {}): void {
    const address = readAddress(text);
    const protect = protector(node.state.protectedRanges);
    const refused = refusal(list, address, { protector: protect, isConfirmed: true });
    if (refused) throw new DomainError(refused.code, `${refused.message}${cureFor(address)}`);
    const problem = ttlMs === undefined ? undefined : lifeProblem(ttlMs);
    if (problem) throw wrong("ttlMs", `${problem}.`);
    const at = new Date(clock()).toISOString();
    node.setEntry(list, address, writeNote({ reason, by: "test", at, via: "test" }), ttlMs ?? null);
  }

  function setCustomer(text: string, { tier, limits, isSuspended }: TestCustomer): void {
    const id = parseCustomerId(text);
    if (!id.ok) throw wrong("id", `${id.reason}.`);
    const tiers = Object.keys(node.state.policy?.policy.tiers ?? {});
    if (tier !== undefined && !tiers.includes(tier))
      throw wrong("tier", `The policy has no tier "${tier}". Its tiers are ${tiers.join(", ") || "none"}.`);
    node.setCustomer(id.value, { tier, override: limits && requireLevels(limits), isSuspended });
  }

  if (settings.policy) node.setPolicy(settings.policy);
  for (const address of safelist) add("safelist", address);
  for (const address of blocklist) add("blocklist", address);
  for (const [id, customer] of Object.entries(customers)) setCustomer(id, customer);

  const controls: Omit<TestGuard, Exclude<keyof Guard, "check" | "limit" | "clientAddress">> = {
    checked,
    check(request) {
      checked.push(request);
      return answer ? Promise.resolve(answer) : check(request);
    },
    limit: (name, options) => answering(limit(name, options), () => answer),
    clientAddress: (peer, forwardedFor) => clientAddress(peer ?? "127.0.0.1", forwardedFor),
    advance(ms) {
      if (!(ms >= 0)) throw wrong("ms", "A clock moves on by milliseconds, from 0.");
      aheadMs += ms;
    },
    block: (address, entry) => add("blocklist", address, entry),
    unblock: (address) => void node.removeEntry("blocklist", readAddress(address)),
    safelist: (address, entry) => add("safelist", address, entry),
    setPolicy: (policy) => node.setPolicy(requirePolicy(policy)),
    setCustomer,
    answer(next) {
      answer = next;
    },
  };
  // The same object, which adapters may know.
  return Object.assign(guard, controls);
}

/** The same limit, whose checks are answered as the test says. */
function answering(limit: Limit, answer: () => Verdict | undefined): Limit {
  return {
    name: limit.name,
    check: (key, use) => Promise.resolve(answer() ?? limit.check(key, use)),
    peek: (key) => limit.peek(key),
    refund: (key, cost) => limit.refund(key, cost),
    reset: (key) => limit.reset(key),
  };
}

const loopbackProxies = ["127.0.0.0/8", "::1"];

function readAddress(text: string): Ip | Cidr {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw wrong("address", `${parsed.reason}.`);
  return parsed.value;
}

/** A test's own requests come from this machine. */
function cureFor(address: Ip | Cidr): string {
  return loopback.covering(blockOf(address))
    ? " Let the test send X-Forwarded-For, and block that address."
    : "";
}

function wrong(field: string, message: string): DomainError {
  return new DomainError("bad-input", message, { [field]: message });
}

export interface ThrottledOptions {
  readonly rule: string;
  readonly retryAfterSeconds?: number | undefined;
  readonly limit?: number | undefined;
  readonly periodSeconds?: number | undefined;
  readonly status?: 429 | 503 | undefined;
  readonly message?: string | undefined;
}

/**
 * Verdicts as a guard gives them, for `guard.answer`.
 *
 * @example
 * guard.answer(verdicts.blocked("203.0.113.9"));
 */
export const verdicts = {
  pass: (): Verdict => verdict.pass(),
  safelisted: (address: string): Verdict => verdict.safelisted(readAddress(address)),
  blocked: (address: string): Verdict => verdict.blocked(readAddress(address)),
  /** Of a rule with one level of fixed windows. */
  throttled(options: ThrottledOptions): Verdict {
    const { rule, retryAfterSeconds = 60, limit = 1, periodSeconds = 60, status, message } = options;
    const level = { limit, periodSeconds };
    const response = { status, message };
    const rules = [{ name: rule, client: "ip", algorithm: "fixed", levels: [level], response } as const];
    const compiled = new CompiledPolicy(requirePolicy({ mode: "enforce", rules, tiers: {} }), {
      app: "test",
    });
    const client = readClient({ ip: "192.0.2.1" });
    if (!client) throw new TypeError("An address of documentation could not be read");
    const reading = { used: limit, resetMs: retryAfterSeconds * 1_000, isOver: true };
    const weighed = { outcome: "weighed", deniedBy: 0, readings: [reading], trouble: [] } as const;
    return decideCounted(compiled.planFor({}, client), weighed);
  },
};
