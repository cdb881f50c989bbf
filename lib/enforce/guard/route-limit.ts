import { DomainError, errorLineWithStack } from "../../errors.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import type { LimitOptions } from "../policy/code-limits.ts";
import { networkLength } from "../stats/fields.ts";
import type { Guard } from "./guard.ts";
import type { Limit } from "./limit.ts";
import { readClient } from "./pipeline.ts";
import type { Verdict } from "./verdict.ts";

/** How a limit counts the requests of a route. `Given` is what the framework passes on: its request, its context. */
export type RouteTerms<Given extends readonly unknown[]> = LimitOptions & {
  /** What is counted, such as a user. The client's address is, where this is left out, returns no text, or throws. */
  readonly key?:
    | ((...given: Given) => string | null | undefined | Promise<string | null | undefined>)
    | undefined;
  /** What a request costs, 1 unless given. What it cost in the end is for `settle` to say. */
  readonly cost?: number | ((...given: Given) => number | Promise<number>) | undefined;
};

/** A limit, and what counts a request by it. */
export interface RouteLimit<Given extends readonly unknown[]> {
  readonly limit: Limit;
  judge(ip: string | undefined, ...given: Given): Promise<Verdict>;
}

/** Throws a DomainError if an option cannot be read. */
export function routeLimit<Given extends readonly unknown[]>(
  guard: Guard,
  name: string,
  { key, cost, ...terms }: RouteTerms<Given>,
): RouteLimit<Given> {
  const { by = key ? "key" : "ip" } = terms;
  if (!key && by !== "ip")
    throw new DomainError("bad-input", `limit("${name}"): key is missing: say which ${by} is counted.`, {
      key: "is missing",
    });
  const limit = guard.limit(name, { ...terms, by });
  /** What the app's own function returns; undefined if it fails, because a limit must not break its route. */
  async function say<T>(what: "key" | "cost", ask: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      const failures = oncePerProcess(`limit-${what}-failures`, () => ({ count: 0 }));
      const instead = what === "key" ? "The client's address is counted." : "The request costs 1.";
      if (failures.count++ === 0)
        console.warn(`sluice: ${what} of limit ${name} failed. ${instead} ${errorLineWithStack(error)}`);
      return undefined;
    }
  }
  return {
    limit,
    async judge(ip, ...given) {
      const text = key && (await say("key", () => key(...given)));
      const amount = typeof cost === "function" ? await say("cost", () => cost(...given)) : cost;
      return limit.check(isNamed(text) ? text : keyOfAddress(ip, by), { cost: amount, ip });
    },
  };
}

const isNamed = (text: unknown): text is string => typeof text === "string" && text.trim() !== "";

/** Among keys of another kind, an address is none of them. */
function keyOfAddress(ip: string | undefined, by: LimitOptions["by"]): string {
  if (by === "ip") return ip ?? "";
  const address = readClient({ ip });
  return address ? `ip:${address.network(networkLength)}` : "";
}

/** Middleware that is its limit, too, for what is asked of it elsewhere: what a key has left. */
export function asLimit<Middleware extends (...given: never[]) => unknown>(
  middleware: Middleware,
  limit: Limit,
): Middleware & Limit {
  Object.defineProperty(middleware, "name", { value: limit.name });
  return Object.assign(middleware, {
    check: limit.check.bind(limit),
    peek: limit.peek.bind(limit),
    refund: limit.refund.bind(limit),
    reset: limit.reset.bind(limit),
  });
}
