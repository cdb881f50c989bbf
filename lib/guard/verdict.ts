import type { Cidr, Ip } from "../ip/parse.ts";
import type { Unweighed } from "../limits/plan.ts";
import type { Rule } from "../policy/schema.ts";
import { keys } from "../redis/keys.ts";

export type Outcome = "pass" | "safelisted" | "blocked" | "throttled";

/** What made a verdict less than certain. The request passes; operators are told. */
export type Trouble = "unknown-client" | "failed" | "lists-unavailable" | `counters-${Unweighed["reason"]}`;

export interface Verdict {
  readonly outcome: Outcome;
  /** HTTP status of the answer: 200 lets the request on. */
  readonly status: number;
  /** The list entry or rule that decided. */
  readonly rule: string | undefined;
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Headers for the response, whatever the outcome. */
  readonly headers: Readonly<Record<string, string>>;
  /** Rules in shadow mode that would have denied. */
  readonly shadowed: readonly string[];
  /** What the rule that denied says to its clients, if it has words of its own. */
  readonly message?: string | undefined;
  readonly trouble?: Trouble;
  /** Whom the rule that denied has counted, if that is neither the address nor the customer. */
  readonly counted?: string | undefined;
}

const undecided = {
  status: 200,
  rule: undefined,
  limit: undefined,
  remaining: undefined,
  retryAfterSeconds: undefined,
  headers: {},
  shadowed: [],
} as const;

const passed: Verdict = { ...undecided, outcome: "pass" };

export const verdict = {
  pass: (): Verdict => passed,
  unsure: (trouble: Trouble): Verdict => ({ ...passed, trouble }),
  safelisted: (entry: Ip | Cidr): Verdict => ({
    ...undecided,
    outcome: "safelisted",
    rule: keys.entry("safelist", entry),
  }),
  /** A rule wants to know the user, and the Authorization header names none. */
  badRequest: ({ name }: Rule): Verdict => ({ ...undecided, outcome: "throttled", status: 400, rule: name }),
  /** A rule that lets nobody pass uncounted, while counts cannot be known. */
  closed: ({ name, response }: Rule, trouble: Trouble): Verdict => ({
    ...undecided,
    outcome: "throttled",
    status: response.status,
    rule: name,
    retryAfterSeconds: 1,
    headers: { "retry-after": "1" },
    message: response.message,
    trouble,
  }),
  blocked: (entry: Ip | Cidr): Verdict => ({
    ...undecided,
    outcome: "blocked",
    status: 403,
    rule: keys.entry("blocklist", entry),
  }),
};

export function isDenied({ outcome }: Verdict): boolean {
  return outcome === "blocked" || outcome === "throttled";
}
