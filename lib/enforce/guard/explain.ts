import { type Block, type ClientAddress, formatIp } from "../../ip/block.ts";
import type { Ip } from "../../ip/parse.ts";
import { type ListName, listNames } from "../../redis/keys.ts";
import type { FeedAround, FeedLists } from "../lists/feeds.ts";
import { type CoveringEntry, decisiveOf } from "../lists/lookup.ts";
import type { EntryLists, Lists } from "../lists/replica.ts";
import type { ClientFacts, RequestRuleReading } from "../policy/request-rules.ts";
import { saySeconds } from "../policy/words.ts";
import {
  decideRules,
  explainRules,
  type RuleReading,
  type RulesRead,
  type SlackReading,
  type SlackRule,
  sayCaller,
  slackRulesOf,
} from "./explain-rules.ts";
import { decide, readClient } from "./pipeline.ts";
import type { GuardRequest } from "./request.ts";
import { type DecidedBy, type Outcome, type Trouble, type Verdict, verdict } from "./verdict.ts";

export interface ExplainedStep {
  /** "customer" where the signed-in customer is suspended, "requests" where the policy has rules that deny or exempt requests. */
  readonly step: "client" | ListName | "feeds" | "customer" | "requests" | "rules";
  readonly decides: boolean;
  /** In words, for people. */
  readonly says: string;
  /** Every entry that covers the client, also those that are not enforced. */
  readonly entries: readonly ExplainedEntry[];
  /** Every feed that has the client, also those that do not decide. */
  readonly feeds?: readonly FeedAround[];
  /** Every level of every rule that the request meets. */
  readonly rules?: readonly RuleReading[];
  /** Every rule that could deny or exempt the request, in order. */
  readonly requestRules?: readonly RequestRuleReading[];
  /** Of every rule among them that has slack. Undefined in a guard, which cannot read the statistics. */
  readonly slack?: readonly SlackReading[];
  /** Of the answer, when a rule decides. */
  readonly status?: number;
  /** What decides, in words: "rule req/ip/2", "blocklist entry 203.0.113.0/24". */
  readonly by?: string;
}

export interface Explanation {
  readonly client: Ip | undefined;
  readonly outcome: Outcome;
  readonly status: number;
  /** What decides, as a verdict has it. Undefined on a pass. */
  readonly by?: DecidedBy | undefined;
  /** Set if the outcome is less than certain. */
  readonly trouble?: Trouble | undefined;
  /** The outcome and what decides it, in one sentence. */
  readonly says: string;
  readonly steps: readonly ExplainedStep[];
}

/** What an explanation draws on: Redis for the details, and a node's own copy when Redis is away. */
export interface Sources {
  /** Every entry that covers a client, from where they are kept. */
  readonly readEntries: (client: Block) => Promise<readonly CoveringEntry[]>;
  readonly replica?: EntryLists;
  readonly readFeeds: () => Promise<FeedLists>;
  /** What rules would count, and have counted. */
  readonly readRules: (client: ClientAddress, facts: ClientFacts) => Promise<RulesRead>;
  /** How far rules may be exceeded, and how far they were. */
  readonly readSlack?: (rules: readonly SlackRule[]) => Promise<readonly SlackReading[]>;
}

/** Every step of a check, with what it found and which one decides. Writes nothing and counts nothing. */
export async function explain(sources: Sources, request: GuardRequest): Promise<Explanation> {
  const client = readClient(request);
  if (!client) return unknownClient;
  // While Redis is away the node's own copy decides, and is explained.
  const [entries, feeds] = await Promise.all([
    fromRedis(sources, client).catch((error: unknown) => fromReplica(sources, client, error)),
    sources.readFeeds().catch(() => noFeeds),
  ]);
  const lists: Lists = {
    match: entries.match,
    feedOf: (client) => feeds.feedOf(client),
    writerOf: (entry, client) => feeds.writerOf(entry, client),
  };
  const read = await sources
    .readRules(client, feeds)
    .catch((error: unknown) => ({ failure: messageOf(error) }));
  const isRead = "policy" in read;
  const rules = {
    policy: isRead ? read.policy : undefined,
    decide: () => (isRead ? decideRules(read) : verdict.unsure("policy-unavailable")),
  };
  const isOff = rules.policy?.mode === "off";
  const found = await decide(lists, rules, request, client, isRead ? read.planned.caller : undefined);
  const { outcome, status, by, trouble } = found;
  const ip = formatIp(client);
  return {
    ...{ client: ip, outcome, status, by, trouble, says: sayOutcome(ip, found) },
    steps: [
      { step: "client", decides: false, says: `The client is ${ip}.`, entries: [] },
      ...listNames.map((list) => listStep(list, entries, { by, isOff })),
      ...feedsStep(feeds.feedsAround(client), { by, isOff }),
      ...(isRead ? suspensionSteps(read, by) : []),
      ...(isRead ? requestSteps(read, found) : []),
      await withSlack(rulesStep(read, found), read, sources),
    ],
  };
}

const unknownClient: Explanation = {
  client: undefined,
  outcome: verdict.unsure("unknown-client").outcome,
  status: verdict.unsure("unknown-client").status,
  trouble: "unknown-client",
  says: "The client's address is unknown. Nothing is enforced.",
  steps: [
    {
      step: "client",
      decides: true,
      says: "The client's address is not known, so nothing is weighed.",
      entries: [],
    },
  ],
};

function sayOutcome(ip: Ip, { outcome, status, by }: Verdict): string {
  if (!by) return `${ip} passes: nothing stops it.`;
  if (outcome === "pass") return `${ip} passes: no limit counts it, by ${sayDecider(by)}.`;
  return outcome === "safelisted"
    ? `${ip} always passes by ${sayDecider(by)}.`
    : `${ip} is ${outcome} (${status}) by ${sayDecider(by)}.`;
}

function sayDecider(by: DecidedBy): string {
  if (by.kind === "entry") return `${by.list} entry ${by.address}`;
  if (by.kind === "suspension") return `the suspension of customer ${by.customer}`;
  if (by.kind === "feed") return `${by.list} feed ${by.feed} (${by.range})`;
  const level = by.kind === "level" && by.isOneOfSeveral ? `, level ${saySeconds(by.periodSeconds)}` : "";
  return `rule ${by.rule}${level}`;
}

/** An entry that covers the client. */
export interface ExplainedEntry extends CoveringEntry {
  /** @deprecated The earlier name of `notEnforcedBecause`. */
  readonly disobeyed?: string;
}

function withEarlierName(entry: CoveringEntry): ExplainedEntry {
  const { notEnforcedBecause: why } = entry;
  return why === undefined ? entry : { ...entry, disobeyed: why };
}

/** The entries of both lists that cover a client. */
interface ListsRead extends EntryLists {
  readonly say: (list: ListName, about: ListsDecision) => string;
  readonly entries: readonly CoveringEntry[];
}

interface ListsDecision {
  readonly by: DecidedBy | undefined;
  readonly isOff: boolean;
}

function listStep(list: ListName, lists: ListsRead, about: ListsDecision): ExplainedStep {
  const { by } = about;
  const decides = by?.kind === "entry" && by.list === list;
  return {
    ...{ step: list, decides, says: lists.say(list, about) },
    entries: lists.entries.filter((entry) => entry.list === list).map(withEarlierName),
    ...(decides && { by: sayDecider(by) }),
  };
}

const noFeeds: FeedLists = {
  feedOf: () => undefined,
  writerOf: () => undefined,
  feedsAround: () => [],
  isInFeed: () => false,
  isProtected: () => false,
};

/** Only where a feed has the client: most have none. */
function feedsStep(feeds: readonly FeedAround[], { by, isOff }: ListsDecision): ExplainedStep[] {
  if (feeds.length === 0) return [];
  const decides = by?.kind === "feed";
  const says = feeds.map((feed) => sayFeed(feed, { by, isOff })).join(" ");
  return [{ step: "feeds", decides, says, entries: [], feeds, ...(decides && { by: sayDecider(by) }) }];
}

function sayFeed(
  { feed, list, range, isShadowed, notEnforcedBecause }: FeedAround,
  { by, isOff }: ListsDecision,
): string {
  const has = `The ${list} feed ${feed} has it (${range})`;
  if (notEnforcedBecause) return `${has}, but is not enforced for it: ${notEnforcedBecause}.`;
  if (isShadowed) return `${has}, in shadow: it is counted alone.`;
  if (by?.kind === "feed" && by.feed === feed)
    return `${has}: ${list === "safelist" ? "it always passes" : "it is blocked"}.`;
  if (by?.kind === "feed" || by?.kind === "entry") return `${has}, but another entry or feed decides.`;
  return `${has}${isOff ? ", but is not enforced: the mode is off" : ""}.`;
}

async function fromRedis({ readEntries }: Sources, client: Block): Promise<ListsRead> {
  const entries = await readEntries(client);
  const entriesOf = (list: ListName) => entries.filter((entry) => entry.list === list);
  return {
    entries,
    match: (list) => decisiveOf(entriesOf(list))?.address,
    say: (list, about) =>
      entriesOf(list)
        .map((entry) => sayEntry(entry, about))
        .join(" ") || `No entry on the ${list} covers it.`,
  };
}

function fromReplica({ replica }: Sources, client: Block, error: unknown): ListsRead {
  const match = (list: ListName) => replica?.match(list, client);
  const say = (list: ListName) => {
    const entry = match(list);
    const holds = entry ? `holds ${entry} on the ${list}` : `has no entry on the ${list}`;
    return `Redis gives no details (${messageOf(error)}); this node's copy ${holds}.`;
  };
  return { entries: [], match, say };
}

function sayEntry(
  { list, address, note, notEnforcedBecause }: CoveringEntry,
  { by, isOff }: ListsDecision,
): string {
  const author = note.by ? ` by ${note.by}` : "";
  const reason = note.reason ? ` (${note.reason})` : "";
  const entry = `${address} is on the ${list}${author}${reason}`;
  if (notEnforcedBecause) return `${entry}, but is not enforced: ${notEnforcedBecause}.`;
  if (list === "safelist") return `${entry}: it always passes.`;
  if (by?.kind === "entry")
    return `${entry}: ${by.list === list && by.address === address ? "it is blocked" : "but another entry decides"}.`;
  return `${entry}${isOff ? ", but is not enforced: the mode is off" : ""}.`;
}

/** Empty for a customer that is not suspended. */
function suspensionSteps(
  { planned: { caller }, policy: { mode }, suspension }: RulesRead,
  by: DecidedBy | undefined,
): ExplainedStep[] {
  if (!caller?.isSuspended) return [];
  const author = suspension?.by ? ` by ${suspension.by}` : "";
  const reason = suspension?.reason ? ` (${suspension.reason})` : "";
  const fact = `Customer ${caller.id} is suspended${author}${reason}`;
  const step = { step: "customer", decides: false, entries: [] } as const;
  if (by?.kind === "suspension")
    return [{ ...step, decides: true, status: 403, by: sayDecider(by), says: `${fact}: it is blocked.` }];
  if (by?.kind === "entry" && by.list === "safelist")
    return [{ ...step, says: `${fact}, but requests of a safelisted address pass.` }];
  if (by?.kind === "entry") return [{ ...step, says: `${fact}, but a list entry decides.` }];
  if (by?.kind === "feed") return [{ ...step, says: `${fact}, but a feed decides.` }];
  return [{ ...step, says: `${fact}, but that is not enforced: the mode is ${mode}.` }];
}

/** Empty for a policy without such rules for the app. */
function requestSteps({ requestRules = [], policy }: RulesRead, { by, status }: Verdict): ExplainedStep[] {
  if (requestRules.length === 0 || policy.mode === "off") return [];
  const step = { step: "requests", decides: false, entries: [] } as const;
  if (isBeforeRules(by)) return [{ ...step, says: "Rules for requests are not reached." }];
  const says = requestRules.map((rule) => rule.says).join(" ");
  const decision = by?.kind === "request-rule" && { decides: true, status, by: sayDecider(by) };
  return [{ ...step, ...decision, says, requestRules }];
}

/** Whether the decision fell before any rule was asked. */
function isBeforeRules(by: DecidedBy | undefined): boolean {
  return by?.kind === "entry" || by?.kind === "feed" || by?.kind === "suspension";
}

const undecided = { step: "rules", decides: false, entries: [] } as const;

function rulesStep(read: RulesRead | { readonly failure: string }, found: Verdict): ExplainedStep {
  if ("failure" in read) return { ...undecided, says: `Rules cannot be read: ${read.failure}` };
  if (read.policy.mode === "off") return { ...undecided, says: "The mode is off: no rule is weighed." };
  const step = sayRules(read, found);
  const customer = sayCaller(read);
  return customer === "" ? step : { ...step, says: `${customer} ${step.says}` };
}

function sayRules(read: RulesRead, { by, rule, status }: Verdict): ExplainedStep {
  const { planned, weighed } = read;
  if (isBeforeRules(by) || by?.kind === "request-rule") return sayUnreached(read);
  const decision = by && { decides: true, status, by: sayDecider(by) };
  if (planned.badRequest) return { ...undecided, ...decision, says: `${rule} requires a Basic user.` };
  if (weighed.outcome === "unweighed") {
    const effect = by ? ` ${rule} denies by its onStoreError.` : "";
    return { ...undecided, ...decision, says: `Counters cannot be read: ${weighed.message}${effect}` };
  }
  const rules = explainRules(read);
  if (rules.length === 0) return { ...undecided, says: "No rule is for this request." };
  return { ...undecided, ...decision, says: by ? `${rule} denies.` : "Every rule lets it pass.", rules };
}

async function withSlack(
  step: ExplainedStep,
  read: RulesRead | { readonly failure: string },
  { readSlack }: Sources,
): Promise<ExplainedStep> {
  if (!step.rules || !readSlack || "failure" in read) return step;
  const slack = await readSlack(slackRulesOf(read.planned));
  return slack.length > 0 ? { ...step, slack } : step;
}

/** What decides came before. What rules have counted is shown all the same. */
function sayUnreached(read: RulesRead): ExplainedStep {
  const rules = explainRules(read, { isReached: false });
  return rules.length === 0
    ? { ...undecided, says: "Not reached." }
    : { ...undecided, says: "Not reached. What they have counted:", rules };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
