import { type ClientState, clientState, evidenceOf, rangeFacts } from "@/components/console/client-state.ts";
import {
  commandsOf,
  type EntryCommand,
  entryToChange,
  removalLabel,
} from "@/components/console/entry-command.ts";
import type { BlockCommand } from "@/components/console/use-block.ts";
import type { Tone } from "@/components/ui/tone.ts";
import { linkTo } from "@/lib/manage/links/link-template.ts";
import type { ClientReply, Reach } from "@/lib/queries/client.ts";
import type { LinkRow } from "@/lib/queries/links.ts";
import type { LookUpEntry, LookUpReply } from "@/lib/queries/look-up.ts";
import { allPages, pagesNamed } from "../pages.tsx";

type Group = "Client" | "Commands" | "Results" | "Pages";

type OptionIcon =
  | Tone
  | "client"
  | "customer"
  | "expiry"
  | "history"
  | "link"
  | "new"
  | "page"
  | "rule"
  | "search"
  | "unblock";

/** A result: it opens a page, runs a command, or replaces the typed text. */
export interface LookUpOption {
  readonly id: string;
  readonly group: Group;
  readonly icon: OptionIcon;
  readonly label: string;
  readonly isMono?: boolean;
  /** Verdict or another state. Untrusted text. */
  readonly badge?: Pick<ClientState, "tone" | "says">;
  /** Untrusted text. */
  readonly detail?: string;
  readonly note?: string;
  readonly leadsTo:
    | { readonly href: string }
    /** Another site. */
    | { readonly url: string }
    | { readonly text: string }
    | { readonly command: EntryCommand | BlockCommand };
}

/** What a read has brought. Neither data nor error: it loads. */
export interface Part<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
}

export interface LookUpAsked {
  readonly text: string;
  /** Undefined while loading, and after a failure. */
  readonly found: LookUpReply | undefined;
  /** Of the found address. */
  readonly client: Part<ClientReply>;
  /** Of the found range. */
  readonly reach: Part<Reach>;
  /** To other systems. */
  readonly links: Part<LinkRow[]>;
  readonly mayCreate: boolean;
  readonly mayList: boolean;
  readonly now: number;
}

/** Results for the text, the most likely first. */
export function optionsOf(asked: LookUpAsked): LookUpOption[] {
  const { text, found, mayCreate } = asked;
  if (text.trim() === "") return allPages.map(pageOption);
  const pages = pagesNamed(text).map(pageOption);
  if (!found) return pages;
  const { denial, address, suggestion, customer, rules, overrides, values } = found;
  const options = [
    ...(denial ? denialOptions(denial) : []),
    ...(address ? addressOptions(address, asked) : []),
    ...(suggestion ? [suggestionOption(suggestion)] : []),
    ...(customer?.isKnown
      ? [customerOption(customer), ...linkOptions("customer", customer.id, asked.links)]
      : []),
    ...rules.map(ruleOption),
    ...overrides.map(overrideOption),
    ...values.map(valueOption),
    ...pages,
    ...(customer && !customer.isKnown ? unknownCustomerOptions(customer.id, mayCreate) : []),
  ];
  // A page whose name is being typed is meant before a rule or customer whose name contains the text.
  const isPageMeant = !customer?.isKnown && pages.some(({ label }) => isBeginning(text, label));
  const order: readonly Group[] = ["Client", "Commands", ...orderOf(isPageMeant)];
  return order.flatMap((group) => options.filter((option) => option.group === group));
}

const orderOf = (isPageMeant: boolean): readonly Group[] =>
  isPageMeant ? ["Pages", "Results"] : ["Results", "Pages"];

const isBeginning = (text: string, name: string) => name.toLowerCase().startsWith(text.trim().toLowerCase());

type Denial = NonNullable<LookUpReply["denial"]>;

/** The denied client, and what decided. The sentence about it is below the results. */
function denialOptions({ outcome, client, customer, entry, feed, rule }: Denial): LookUpOption[] {
  const badge = { tone: outcome, says: outcome } as const;
  const denied: LookUpOption | false = client !== null && {
    ...{ id: "denied client", group: "Client", icon: "client", label: client, isMono: true, badge },
    ...{ note: "Open", leadsTo: { href: `/clients/${encodeURIComponent(client)}` } },
  };
  const options: (LookUpOption | false)[] = [
    denied,
    entry !== null && {
      ...{ id: "denied by", group: "Results", icon: "blocked", label: `Blocklist entry ${entry}` },
      leadsTo: { href: `/blocklist?${new URLSearchParams({ q: entry })}` },
    },
    feed !== null && {
      ...{ id: "denied by", group: "Results", icon: "blocked", label: `Feed ${feed}` },
      leadsTo: { href: "/feeds" },
    },
    rule !== null && {
      ...{ id: "denied by", group: "Results", icon: "rule", label: `Rule ${rule}` },
      leadsTo: rulePage(rule),
    },
    customer !== null && {
      ...{ id: "denied customer", group: "Results", icon: "customer", label: `Customer ${customer}` },
      leadsTo: customerPage(customer),
    },
  ];
  return options.filter((option) => option !== false);
}

type Address = NonNullable<LookUpReply["address"]>;
type Customer = NonNullable<LookUpReply["customer"]>;

function pageOption({ href, name }: (typeof allPages)[number]): LookUpOption {
  return { id: `page ${href}`, group: "Pages", icon: "page", label: name, leadsTo: { href } };
}

/** The client or range itself, what can be done with it, the entries that cover it, and pages about it. */
function addressOptions(address: Address, asked: LookUpAsked): LookUpOption[] {
  const { text, covering } = address;
  const decisive = covering.find(({ notEnforced }) => notEnforced === null);
  return [
    address.isRange ? rangeOption(address, asked.reach) : clientOption(address, asked),
    ...(asked.mayList ? commandOptions(address, asked) : []),
    ...covering.map((entry) => entryOption(entry, entry === decisive)),
    {
      ...{ id: "audit", group: "Pages", icon: "history", label: `Audit records of ${text}` },
      leadsTo: { href: `/audit?${new URLSearchParams({ target: text })}` },
    },
    ...linkOptions("client", text, asked.links),
  ];
}

function overrideOption({ name, says }: LookUpReply["overrides"][number]): LookUpOption {
  return {
    ...{ id: `override ${name}`, group: "Results", icon: "customer", label: name, isMono: true },
    note: name.includes("*") ? "override of a pattern" : "override of a group",
    ...{ detail: says, leadsTo: { href: "/overrides" } },
  };
}

function linkOptions(kind: LinkRow["kind"], id: string, { data }: Part<LinkRow[]>): LookUpOption[] {
  return (data ?? [])
    .filter((link) => link.kind === kind)
    .map(({ name, template }) => ({
      ...{ id: `link ${kind} ${name}`, group: "Pages", icon: "link", label: `${name} of ${id}` },
      note: "opens in a new tab",
      leadsTo: { url: linkTo(kind, template, id) },
    }));
}

function clientOption({ text, isYours }: Address, { client, now }: LookUpAsked): LookUpOption {
  const { badge, facts } = stateOf(client, (reply) => {
    const { facts, ...badge } = clientState(reply, now);
    return { badge, facts };
  });
  return {
    ...{ id: "client", group: "Client", icon: "client", label: text, isMono: true },
    ...(badge && { badge }),
    detail: [...(isYours ? ["your own address"] : []), ...facts].join(" · "),
    note: "Open",
    leadsTo: { href: `/clients/${encodeURIComponent(text)}` },
  };
}

function rangeOption({ text }: Address, reach: Part<Reach>): LookUpOption {
  const { badge, facts } = stateOf(reach, (found) => ({ facts: rangeFacts(found) }));
  return {
    ...{ id: "client", group: "Client", icon: "client", label: text, isMono: true },
    badge: badge ?? { tone: "plain", says: "range" },
    detail: facts.join(" · "),
    note: "Open",
    leadsTo: { href: `/clients/${encodeURIComponent(text)}` },
  };
}

interface PartState {
  readonly badge?: Pick<ClientState, "tone" | "says">;
  readonly facts: readonly string[];
}

function stateOf<T>({ data, error }: Part<T>, say: (data: T) => PartState): PartState {
  if (error) return { badge: { tone: "plain", says: "State unknown" }, facts: [error.message] };
  return data === undefined ? { facts: ["Loading its state…"] } : say(data);
}

const dayMs = 86_400_000;

/** What the user's role may do with the lists. */
function commandOptions(address: Address, { client }: LookUpAsked): LookUpOption[] {
  const { text, covering, isRange, isYours } = address;
  const reply = client.error ? undefined : client.data;
  const reason = reply ? evidenceOf(reply) : "";
  const add = { kind: "add", address: text, client: text, reason } as const;
  // Of a range, only an entry for this very range.
  const own = isRange ? covering.filter((entry) => entry.address === text) : covering;
  const [blocked, safe] = [entryToChange(own, "blocklist"), entryToChange(own, "safelist")];
  const options: (LookUpOption | false)[] = [
    ...(blocked ? entryCommands(text, blocked, covering) : []),
    !blocked &&
      !isRange &&
      !isYours &&
      command(`Block ${text} for 24 h`, "blocked", {
        ...{ kind: "block", address: text, ttlMs: dayMs, reason },
      }),
    !blocked && !isYours && command(`Block ${text}…`, "blocked", { ...add, list: "blocklist" }),
    ...(safe ? entryCommands(text, safe, covering) : []),
    !safe && command(`Safelist ${text}…`, "safelisted", { ...add, list: "safelist" }),
  ];
  return options.filter((option) => option !== false);
}

function entryCommands(client: string, entry: LookUpEntry, covering: readonly LookUpEntry[]): LookUpOption[] {
  const { remove, expiry } = commandsOf(client, entry, covering);
  const { list, address } = entry;
  const label = removalLabel(remove);
  return [
    command(label.includes(address) ? label : `${label} ${address}`, "unblock", remove),
    command(`Change expiry of ${address} on the ${list}…`, "expiry", expiry),
  ];
}

function command(label: string, icon: OptionIcon, wanted: EntryCommand | BlockCommand): LookUpOption {
  return { id: `command ${label}`, group: "Commands", icon, label, leadsTo: { command: wanted } };
}

function entryOption({ list, address, reason, notEnforced }: LookUpEntry, decides: boolean): LookUpOption {
  return {
    ...{ id: `${list} ${address}`, group: "Results" },
    icon: list === "blocklist" ? "blocked" : "safelisted",
    label: `${list === "blocklist" ? "Blocklist" : "Safelist"} entry ${address}`,
    detail: notEnforced ?? reason,
    ...(notEnforced === null ? decides && { note: "decides" } : { note: "not enforced" }),
    leadsTo: { href: `/${list}?${new URLSearchParams({ q: address })}` },
  };
}

function suggestionOption({ text, reason }: NonNullable<LookUpReply["suggestion"]>): LookUpOption {
  const label = `Look up ${text}`;
  return { id: "suggestion", group: "Results", icon: "search", label, detail: reason, leadsTo: { text } };
}

function customerOption({ id, tier, hasOverride }: Customer): LookUpOption {
  const said = [tier && `tier ${tier}`, hasOverride && "custom throttle"].filter(Boolean).join(", ");
  return {
    ...{ id: "customer", group: "Results", icon: "customer" },
    label: `Customer ${id}`,
    detail: said === "" ? "no tier, no custom throttle" : said,
    leadsTo: customerPage(id),
  };
}

function ruleOption({ name, mode, says }: LookUpReply["rules"][number]): LookUpOption {
  return {
    ...{ id: `rule ${name}`, group: "Results", icon: "rule", label: `Rule ${name}`, detail: says },
    ...(mode !== "enforce" && { note: mode }),
    leadsTo: rulePage(name),
  };
}

function valueOption({ name, rule, counts, says, isOver }: LookUpReply["values"][number]): LookUpOption {
  return {
    ...{ id: `value ${name}`, group: "Results", icon: isOver ? "throttled" : "search" },
    label: `Counted by rule ${rule} as ${counts}`,
    detail: says,
    leadsTo: rulePage(rule),
  };
}

function unknownCustomerOptions(id: string, mayCreate: boolean): LookUpOption[] {
  const search: LookUpOption = {
    ...{ id: "search customers", group: "Results", icon: "search" },
    label: `Customers that begin with ${id}`,
    leadsTo: { href: `/customers?${new URLSearchParams({ q: id })}` },
  };
  const detail = "It has no tier and no custom throttle yet.";
  const create = {
    id: "new",
    group: "Results",
    icon: "new",
    label: `Create customer ${id}`,
    detail,
  } as const;
  return mayCreate ? [search, { ...create, leadsTo: customerPage(id) }] : [search];
}

function customerPage(id: string) {
  return { href: `/customers/${encodeURIComponent(id)}` };
}

function rulePage(rule: string) {
  return { href: `/policy?${new URLSearchParams({ rule })}` };
}
