import type { Explanation } from "../../enforce/guard/explain.ts";
import { feedText } from "../../enforce/lists/feeds.ts";
import type { ReferenceFacts } from "../../enforce/references/reference.ts";
import { format, masked } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { type ExplainSources, explainRequest } from "../policy/explain-request.ts";
import { type DenialNames, findNames } from "./known-names.ts";
import { readReference } from "./read-reference.ts";
import { readRuleNow } from "./rule-now.ts";

/** What decided a denial, as far as its name is known. */
export type DenialDecider =
  | { readonly kind: "entry"; readonly address: Ip | Cidr }
  | { readonly kind: "feed"; readonly feed: string | undefined; readonly range: Ip | Cidr }
  | { readonly kind: "suspension" }
  | { readonly kind: "rule"; readonly rule: string | undefined };

/** A denial, as its reference tells it. */
export interface Denial {
  /** Ms since 1970, to the second. */
  readonly at: number;
  readonly outcome: "blocked" | "throttled";
  /** Undefined where no name that Redis has is this app's. */
  readonly app: string | undefined;
  /** Undefined for a limit in code that counts no address. */
  readonly client: Ip | undefined;
  readonly by: DenialDecider;
  /** Undefined for an anonymous request, and for a customer that Redis no longer knows. */
  readonly customer: string | undefined;
  /** What the rule counted, if that is neither an address nor a customer, and a node reported it within a day. */
  readonly counted: string | undefined;
  /** When, where and why, in one sentence. */
  readonly says: string;
  readonly now: DenialNow;
}

/** Whether the same would deny the client now. */
export interface DenialNow {
  /** Undefined where that cannot be known. */
  readonly applies: boolean | undefined;
  readonly says: string;
}

/** Reads a reference, and explains whether what denied then still denies. Throws a DomainError that says why it cannot be read. */
export async function explainReference(sources: ExplainSources, text: string): Promise<Denial> {
  const { redis } = sources;
  const facts = await readReference(redis, text);
  const names = await findNames(redis, facts);
  const by = deciderOf(facts, names);
  const { client } = facts;
  const { app, customer, value: counted } = names;
  const outcome = facts.isBlocked ? "blocked" : "throttled";
  const denial = { at: facts.at * 1_000, outcome, app, client, by, customer, counted } as const;
  return { ...denial, says: say(denial, facts), now: await explainNow(sources, denial) };
}

function deciderOf({ kind, client, length }: ReferenceFacts, { rule, feed }: DenialNames): DenialDecider {
  const range = client && format(masked(blockOf(client), length));
  if (kind === "entry" && range) return { kind, address: range };
  if (kind === "feed" && range) return { kind, feed, range };
  return kind === "suspension" ? { kind } : { kind: "rule", rule };
}

type DenialThen = Omit<Denial, "says" | "now">;

function say({ at, outcome, app, client, by, customer, counted }: DenialThen, facts: ReferenceFacts): string {
  const when = new Date(at).toISOString().replace("T", " ").replace(".000Z", " UTC");
  const where = app === undefined ? "an app that is no longer known" : `app ${app}`;
  const who = [
    ...(client === undefined ? [] : [client]),
    ...(facts.counted?.is === "customer" ? [`customer ${customer ?? "(its ID is no longer known)"}`] : []),
    ...(facts.counted?.is === "value" ? [`counted as ${counted ?? "a value that is no longer known"}`] : []),
  ];
  return `${who.join(", ") || "A client"} was ${outcome} in ${where} at ${when} by ${sayDecider(by)}.`;
}

/** "blocklist entry 203.0.113.0/24", "rule login" */
export function sayDecider(by: DenialDecider): string {
  switch (by.kind) {
    case "entry":
      return `blocklist entry ${by.address}`;
    case "feed":
      return `${by.feed === undefined ? "a feed that is no longer defined" : feedText(by.feed)} (${by.range})`;
    case "suspension":
      return "the suspension of the customer";
    case "rule":
      return by.rule === undefined ? "a rule that is no longer known" : `rule ${by.rule}`;
  }
}

async function explainNow(
  sources: ExplainSources,
  { app = "", client, by, customer, counted }: DenialThen,
): Promise<DenialNow> {
  if (by.kind === "suspension") return suspensionNow(sources, customer);
  if (client === undefined) return ruleNow(sources, { app, client, by, customer, counted });
  const request = { ip: client, app, path: "/", method: "GET" };
  const explanation = await explainRequest(sources, {
    ...request,
    ...(customer !== undefined && { customerId: customer }),
  });
  if (isSame(explanation, by)) return { applies: true, says: `It still applies: ${explanation.says}` };
  const { by: now } = explanation;
  const isListed = now?.kind === "entry" || now?.kind === "feed" || now?.kind === "suspension";
  if (by.kind !== "rule" || isListed)
    return { applies: false, says: `It no longer applies. ${explanation.says}` };
  return ruleNow(sources, { app, client, by, customer, counted });
}

function isSame({ by: now }: Explanation, by: DenialDecider): boolean {
  if (now?.kind === "entry")
    return by.kind === "entry" && now.list === "blocklist" && now.address === by.address;
  return now?.kind === "feed" && by.kind === "feed" && now.feed === by.feed;
}

async function suspensionNow({ redis }: ExplainSources, customer: string | undefined): Promise<DenialNow> {
  if (customer === undefined)
    return {
      applies: undefined,
      says: "The customer's ID is no longer known, so its suspension cannot be read.",
    };
  const isSuspended = (await redis.exists(keys.suspension(customer as CustomerId))) === 1;
  return isSuspended
    ? { applies: true, says: `It still applies: customer ${customer} is suspended.` }
    : { applies: false, says: `It no longer applies: customer ${customer} is not suspended.` };
}

type RuleDenial = Pick<Denial, "client" | "customer" | "counted"> & {
  readonly app: string;
  readonly by: DenialDecider;
};

async function ruleNow(sources: ExplainSources, { by, ...of }: RuleDenial): Promise<DenialNow> {
  if (by.kind !== "rule" || by.rule === undefined)
    return { applies: false, says: "It no longer applies: no rule of this name is in force." };
  return readRuleNow(sources, { ...of, rule: by.rule });
}
