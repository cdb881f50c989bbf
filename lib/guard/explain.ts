import { type Block, formatIp, isWhole } from "../ip/block.ts";
import { type Ip, readBlock } from "../ip/parse.ts";
import type { ProtectedRange } from "../lists/protected.ts";
import type { Lists } from "../lists/replica.ts";
import { type Match, search } from "../lists/search.ts";
import type { Connection } from "../redis/connect.ts";
import { type ListName, listNames } from "../redis/keys.ts";
import { explainRules, type RuleReading, type RulesRead } from "./explain-rules.ts";
import type { GuardRequest } from "./guard.ts";
import type { Outcome } from "./verdict.ts";

export interface Step {
  readonly step: "client" | ListName | "rules";
  readonly decides: boolean;
  /** In words, for people. */
  readonly says: string;
  /** Every entry that covers the client, also those that are not obeyed. */
  readonly entries: readonly Match[];
  /** Every level of every rule that the request meets. */
  readonly rules?: readonly RuleReading[];
  /** Of the answer, when a rule decides. */
  readonly status?: number;
}

export interface Explanation {
  readonly client: Ip | undefined;
  readonly outcome: Outcome;
  readonly status: number;
  readonly steps: readonly Step[];
}

/** What an explanation draws on: Redis for the details, and a node's own copy when Redis is away. */
export interface Sources {
  readonly redis: Connection;
  readonly protectedRanges: readonly ProtectedRange[];
  readonly replica?: Lists;
  /** What rules would count, and have counted. */
  readonly readRules: (client: Block) => Promise<RulesRead>;
}

/** Every step of a check, with what it found and which one decides. Writes nothing and counts nothing. */
export async function explain(sources: Sources, request: Pick<GuardRequest, "ip">): Promise<Explanation> {
  const client = request.ip === undefined ? undefined : readBlock(request.ip);
  if (!client || !isWhole(client)) return unknownClient;
  const ip = formatIp(client);
  const first: Step = { step: "client", decides: false, says: `The client is ${ip}.`, entries: [] };
  // While Redis is away the node's own copy decides, so that is what there is to explain.
  const steps = await fromRedis(sources, ip).catch((error: unknown) => fromReplica(sources, client, error));
  const isDecided = steps.some(({ decides }) => decides);
  const { rules, isOff } = await rulesStep(sources, client, isDecided);
  const all = [...steps.map((step) => (isOff ? unbitten(step) : step)), rules];
  return { client: ip, ...outcomeOf(all.find(({ decides }) => decides)), steps: [first, ...all] };
}

/** The kill switch: what is on the blocklist is told, and stops nobody. */
function unbitten(step: Step): Step {
  if (step.step !== "blocklist" || !step.decides) return step;
  return { ...step, decides: false, says: `${step.says} But the mode is off: nothing bites.` };
}

async function rulesStep({ readRules }: Sources, client: Block, isDecided: boolean) {
  try {
    const read = await readRules(client);
    return { rules: sayRules(read, isDecided), isOff: read.mode === "off" };
  } catch (error) {
    const says = `Rules cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return { rules: { ...undecided, says }, isOff: false };
  }
}

const undecided = { step: "rules", decides: false, entries: [] } as const;

function sayRules(read: RulesRead, isDecided: boolean): Step {
  const { mode, planned, weighed } = read;
  if (mode === "off") return { ...undecided, says: "The mode is off: no rule is weighed." };
  if (isDecided) return sayUnreached(read);
  const { badRequest } = planned;
  if (badRequest)
    return { ...undecided, decides: true, says: `${badRequest.name} wants a Basic user.`, status: 400 };
  if (weighed.outcome === "unweighed")
    return { ...undecided, says: `Counters cannot be read: ${weighed.message}` };
  const rules = explainRules(read);
  if (rules.length === 0) return { ...undecided, says: "No rule is for this request." };
  const decisive = rules.find(({ isDeciding }) => isDeciding);
  if (!decisive) return { ...undecided, says: "Every rule lets it pass.", rules };
  const status = planned.rules[weighed.deniedBy]?.response.status ?? 429;
  return { ...undecided, decides: true, says: `${decisive.name} denies.`, rules, status };
}

/** A list has decided. What rules have counted so far is told all the same. */
function sayUnreached(read: RulesRead): Step {
  const rules = explainRules(read, { isReached: false });
  return rules.length === 0
    ? { ...undecided, says: "Not reached." }
    : { ...undecided, says: "Not reached. What they have counted:", rules };
}

const unknownClient: Explanation = {
  client: undefined,
  outcome: "pass",
  status: 200,
  steps: [
    {
      step: "client",
      decides: true,
      says: "The client's address is not known, so nothing is weighed.",
      entries: [],
    },
  ],
};

async function fromRedis({ redis, protectedRanges }: Sources, ip: Ip): Promise<Step[]> {
  const found = await search(redis, ip, protectedRanges);
  return listNames.map((list) => {
    const entries = found.covering.filter((match) => match.list === list);
    const decides = found.decisive?.list === list;
    return { step: list, decides, says: sayAll(list, entries, found.decisive), entries };
  });
}

function fromReplica({ replica }: Sources, client: Block, error: unknown): Step[] {
  const why = error instanceof Error ? error.message : String(error);
  const matches = listNames.map((list) => ({ list, entry: replica?.match(list, client) }));
  const decisive = matches.find(({ entry }) => entry !== undefined)?.list;
  return matches.map(({ list, entry }) => ({
    step: list,
    decides: list === decisive,
    says: `Redis gives no details (${why}); this node's copy ${entry ? `holds ${entry} on the ${list}` : `has no entry on the ${list}`}.`,
    entries: [],
  }));
}

function sayAll(list: ListName, entries: readonly Match[], decisive: Match | undefined): string {
  if (entries.length === 0) return `No entry on the ${list} covers it.`;
  return entries.map((entry) => say(entry, entry === decisive)).join(" ");
}

function say({ list, address, note, disobeyed }: Match, isDecisive: boolean): string {
  const by = note.by ? ` by ${note.by}` : "";
  const reason = note.reason ? ` (${note.reason})` : "";
  if (disobeyed) return `${address} stands on the ${list}${by}${reason}, but is not obeyed: ${disobeyed}.`;
  const effect =
    list === "safelist" ? "it always passes" : isDecisive ? "it is stopped" : "but another entry decides";
  return `${address} is on the ${list}${by}${reason}: ${effect}.`;
}

function outcomeOf(decisive: Step | undefined): Pick<Explanation, "outcome" | "status"> {
  if (!decisive) return { outcome: "pass", status: 200 };
  if (decisive.step === "rules") return { outcome: "throttled", status: decisive.status ?? 400 };
  return decisive.step === "safelist"
    ? { outcome: "safelisted", status: 200 }
    : { outcome: "blocked", status: 403 };
}
