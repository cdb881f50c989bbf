import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import type { Limiter } from "./run.ts";

/** The rule that a limiter of the Lab would be, counted by address. The page for the policy reads it as `?draft=`. */
export function draftOf({ algorithm, limit, periodSeconds }: Limiter, overageWeight: number) {
  const name = `lab/${algorithm}-${limit}-${periodSeconds}`;
  const levels = isRate(algorithm)
    ? [{ limitPerSecond: limit, halfLifeSeconds: periodSeconds, overageWeight }]
    : [{ limit, periodSeconds }];
  return { name, client: "ip", algorithm, levels };
}

/** JSON in base64url. Everything in a draft is ASCII. */
export function draftHref(limiter: Limiter, overageWeight: number): string {
  const text = btoa(JSON.stringify(draftOf(limiter, overageWeight)));
  return `/policy?draft=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}
