import type { Trouble } from "@/components/console/standing.ts";
import {
  clockText,
  counted,
  countText,
  minuteText,
  monthDayText,
  rateText,
} from "@/components/ui/value-text.ts";
import type { DeniedClient, NamedClients, Situation, SituationReply } from "@/lib/queries/situation.ts";

/** The first sentence of the page, and what follows from it. */
export interface SituationWords {
  readonly tone: "blocked" | "throttled" | "pass" | "shadow" | "plain";
  readonly title: string;
  readonly detail: string;
}

type Reply = Pick<SituationReply, "asOf" | "situation" | "minute" | "usual" | "customers" | "isAllCustomers">;

/** The situation in words. Numbers are those of the reply, never more. */
export function saySituation(reply: Reply): SituationWords {
  const { situation } = reply;
  switch (situation.kind) {
    case "unknown":
      return { tone: "throttled", ...sayUnknown(situation, reply) };
    case "off":
    case "shadow":
      return sayMode(situation, reply.asOf);
    case "attack":
      return {
        tone: "blocked",
        title: `Attack ${saySince(situation.since)}: ${sayCause(situation)}.`,
        detail: sayNamed(situation, "They are throttled."),
      };
    case "elevated":
      return { tone: "throttled", ...sayElevated(situation, reply) };
    case "quiet":
      return { tone: "pass", title: sayQuiet(situation, reply), detail: sayBands(reply) };
  }
}

function sayUnknown({ cause, apps }: Extract<Situation, { kind: "unknown" }>, reply: Reply) {
  if (cause === "nodes")
    return {
      title: "Unknown: no node of an app reports.",
      detail: "Whether requests are denied is unknown. A node appears within 2 s of its start.",
    };
  if (cause === "counters")
    return {
      title: "Unknown: the counters do not answer.",
      detail: `Both lists are enforced. Whether limits are exceeded is unknown. ${sayDenied(reply)}.`,
    };
  return {
    title: `Unknown: no counts from ${listed(apps)} in the last minute.`,
    detail: `Known from other apps: ${sayDenied(reply)}.`,
  };
}

/** The mode, and who switched it. */
export function sayMode(
  { kind, since }: Extract<Situation, { kind: "off" | "shadow" }>,
  now: number,
): SituationWords {
  const at = since?.at ? Date.parse(since.at) : Number.NaN;
  const time = Number.isNaN(at) ? "" : ` since ${clockTime(at, now)}`;
  const state =
    kind === "off"
      ? { tone: "blocked" as const, title: `Protection is off${time}. Nothing is blocked or throttled.` }
      : { tone: "shadow" as const, title: `Rules are in shadow${time}. Only both lists are enforced.` };
  const by = since?.by ? `Switched by ${since.by}` : "Switched by another program";
  return { ...state, detail: since ? `${by}${since.reason === "" ? "." : `: “${since.reason}”.`}` : "" };
}

/** Redis or the console does not answer. */
export function sayTrouble({ message, since }: Trouble, last: Reply | undefined): SituationWords {
  return {
    tone: "throttled",
    title: `Unknown since ${clockText(since)}. ${message}`,
    detail: last ? `Last known at ${clockText(last.asOf)}: ${sayDenied(last)}.` : "Nothing is known so far.",
  };
}

type ElevatedSituation = Extract<Situation, { kind: "elevated" }>;

function sayElevated({ since, reason }: ElevatedSituation, reply: Reply) {
  const time = saySince(since);
  const rate = sayAgainst(reply);
  switch (reason.is) {
    case "blocked":
      return {
        title: `High denials ${time}, from blocked clients: ${sayCause(reason)}.`,
        detail: `They are on the blocklist (403). ${rate}`,
      };
    case "customers":
      return {
        title: `High denials ${time}, of customers: ${sayCause(reason)}.`,
        detail: `${reason.customers.length === 1 ? "The customer is" : "The customers are"} ${listed(reason.customers)}. ${rate}`,
      };
    case "clients":
      return {
        title: `High denials ${time}: ${sayCause(reason)}.`,
        detail: `${sayNamed(reason, "")} ${rate}`,
      };
    case "change":
      return {
        title: `High denials ${time}. At ${minuteText(reason.change.at)}: ${reason.change.text}.`,
        detail: `${rate} Few clients cause less than half of the denials.`,
      };
    case "spread":
      return {
        title: `High denials ${time}, from many clients.`,
        detail: `${rate} No few clients cause half of them.`,
      };
  }
}

/** "3 clients of AS64500 Example Hosting cause at least 81% of denials" */
function sayCause({ clients, share, network }: NamedClients): string {
  const [only] = clients;
  const who = clients.length === 1 && only ? `${only.client}${network ? ` of ${network}` : ""}` : undefined;
  const several = `${counted(clients.length, "client")}${network ? ` of ${network}` : ""}`;
  const part = `${share.isLeast ? "at least " : ""}${share.percent}% of denials`;
  return who ? `${who} causes ${part}` : `${several} cause ${part}`;
}

function sayNamed({ clients }: NamedClients, state: string): string {
  const requests = clients.reduce((sum, one) => sum + one.requests, 0);
  const apps = [...new Set(clients.map(({ app }) => app))].filter((app) => app !== "");
  const one = clients.length === 1;
  const sent = `${one ? "It" : "They"} sent at least ${counted(requests, "request")} in the last 2 min, most of them to ${listed(apps)}.`;
  return [one ? state.replace("They are", "It is") : state, sent, sayCustomers(clients)]
    .filter(Boolean)
    .join(" ");
}

function sayCustomers(clients: readonly DeniedClient[]): string {
  const owned = clients.filter(({ customers = [] }) => customers.length > 0);
  const names = [...new Set(owned.flatMap(({ customers = [] }) => customers))];
  if (owned.length > 0)
    return `${counted(owned.length, "address is", "addresses are")} used by ${names.length === 1 ? "customer" : "customers"} ${listed(names)}.`;
  const isKnown = clients.every(({ customers }) => customers !== undefined);
  return isKnown ? "No customer is known to use these addresses." : "Whether customers use them is unknown.";
}

function sayQuiet({ against }: Extract<Situation, { kind: "quiet" }>, reply: Reply): string {
  const { usual } = reply;
  const band = usual ? ` (${bandText(usual.denied, "denials")})` : "";
  const compared = {
    usual: ", as usual at this hour",
    below: `, fewer than usual at this hour${band}`,
    above: `, more than usual at this hour${band}`,
  };
  return `Quiet: ${sayDenied(reply)}${against ? compared[against] : ""}.`;
}

/** "12 denials/min", "24 denials/s, 1.3% of 1,912 requests/s" */
export function sayDenied({ minute }: Pick<Reply, "minute">): string {
  const denied = minute.throttled + minute.blocked;
  const requests = denied + minute.pass + minute.safelisted;
  if (requests === 0) return "no requests in the last minute";
  if (denied === 0) return `no denials in the last minute, of ${rateText(requests)} requests/s`;
  if (denied < 1)
    return `${counted(Math.round(60 * denied), "denial")}/min, of ${rateText(requests)} requests/s`;
  return `${rateText(denied)} denials/s, ${percentText(denied / requests)} of ${rateText(requests)} requests/s`;
}

/** "1,338 denials/s, 44× usual at this hour." */
function sayAgainst(reply: Reply): string {
  const factor = usualFactor(reply);
  return `${sayDenied(reply)}${factor === undefined ? "" : `, ${factor}× usual at this hour`}.`;
}

/** How many times the usual denials there are. Undefined while that is unknown, or not more. */
export function usualFactor({ minute, usual }: Pick<Reply, "minute" | "usual">): number | undefined {
  const denied = minute.throttled + minute.blocked;
  if (!usual || usual.denied.median <= 0 || denied <= usual.denied.high) return undefined;
  const factor = denied / usual.denied.median;
  return factor < 10 ? Math.floor(10 * factor) / 10 : Math.floor(factor);
}

/** What is usual, and whether customers are denied. */
function sayBands({ usual, customers, isAllCustomers }: Reply): string {
  const band = usual
    ? `Usual at this hour: ${bandText(usual.requests, "requests")} and ${bandText(usual.denied, "denials")} (${usual.days} days).`
    : "What is usual at this hour is unknown until three earlier days are recorded.";
  const denied =
    customers.length > 0
      ? `${counted(customers.length, "customer")} denied in the last 2 min.`
      : isAllCustomers
        ? "No signed-in customer is denied."
        : "";
  return [band, denied].filter(Boolean).join(" ");
}

/** "20 to 35 denials/s", "5 to 12 denials/min" */
export function bandText(
  { low, high }: { readonly low: number; readonly high: number },
  what: string,
): string {
  if (high < 1) return `${Math.round(60 * low)} to ${Math.round(60 * high)} ${what}/min`;
  const text = (rate: number) => (high >= 10 ? countText(Math.round(rate)) : rateText(rate));
  return `${text(low)} to ${text(high)} ${what}/s`;
}

function saySince({ at, isEarlier }: { readonly at: number; readonly isEarlier: boolean }): string {
  return `since ${minuteText(at)}${isEarlier ? " or earlier" : ""}`;
}

const dayMs = 86_400_000;

/** "20:31", with the day if it is not of today. */
function clockTime(at: number, now: number): string {
  const isToday = Math.floor(at / dayMs) === Math.floor(now / dayMs);
  return isToday ? minuteText(at) : `${monthDayText(at)} ${minuteText(at)}`;
}

function percentText(share: number): string {
  return share < 0.001 ? "under 0.1%" : `${(100 * share).toFixed(1)}%`;
}

const mostListed = 3;

/** "shop", "shop and docs", "shop, docs and 3 more" */
export function listed(names: readonly string[]): string {
  if (names.length === 0) return "apps";
  const shown = names.slice(0, mostListed);
  const more = names.length - shown.length;
  const parts = more > 0 ? [...shown, `${more} more`] : shown;
  const last = parts.at(-1) ?? "";
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${last}` : last;
}

/** The clients that the situation names to block. Those of customers are left out. */
export function blockable(situation: Situation): readonly DeniedClient[] {
  const named =
    situation.kind === "attack"
      ? situation.clients
      : situation.kind === "elevated" && situation.reason.is === "clients"
        ? situation.reason.clients
        : [];
  return named.filter(({ customers = [] }) => customers.length === 0);
}
