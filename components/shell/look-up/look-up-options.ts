import type { Tone } from "@/components/ui/tone.ts";
import type { LookUpEntry, LookUpReply } from "@/lib/queries/look-up.ts";
import { allPages, pagesNamed } from "../pages.tsx";

/** A result: it opens a page, or replaces the typed text. */
export interface LookUpOption {
  readonly id: string;
  readonly tone: Tone | "page" | "customer" | "new" | "search";
  readonly label: string;
  /** Untrusted text. */
  readonly detail?: string;
  readonly note?: string;
  readonly leadsTo: { readonly href: string } | { readonly text: string };
}

interface Asked {
  readonly text: string;
  /** Undefined while loading, and after a failure. */
  readonly found: LookUpReply | undefined;
  readonly mayCreate: boolean;
}

/** Results for the text, the most likely first. */
export function optionsOf({ text, found, mayCreate }: Asked): LookUpOption[] {
  if (text.trim() === "") return allPages.map(pageOption);
  const pages = pagesNamed(text).map(pageOption);
  if (!found) return pages;
  const { address, suggestion, customer, values } = found;
  return [
    ...(address ? addressOptions(address) : []),
    ...(suggestion ? [suggestionOption(suggestion)] : []),
    ...(customer?.isKnown ? [customerOption(customer)] : []),
    ...values.map(valueOption),
    ...pages,
    ...(customer && !customer.isKnown ? unknownCustomerOptions(customer.id, mayCreate) : []),
  ];
}

type Address = NonNullable<LookUpReply["address"]>;
type Customer = NonNullable<LookUpReply["customer"]>;

function pageOption({ href, name }: (typeof allPages)[number]): LookUpOption {
  return { id: `page ${href}`, tone: "page", label: name, leadsTo: { href } };
}

function addressOptions({ text, covering }: Address): LookUpOption[] {
  const decisive = covering.find(({ notEnforced }) => notEnforced === null);
  const entries = covering.map((entry) => entryOption(entry, entry === decisive));
  const silent = (["blocklist", "safelist"] as const).filter((name) =>
    covering.every(({ list }) => list !== name),
  );
  const searches = silent.map(
    (list): LookUpOption => ({
      id: `search ${list}`,
      tone: "search",
      label: `Not on the ${list}`,
      note: `search the ${list}`,
      leadsTo: { href: pathTo(list, text) },
    }),
  );
  return [...entries, ...searches];
}

function entryOption({ list, address, reason, notEnforced }: LookUpEntry, decides: boolean): LookUpOption {
  return {
    id: `${list} ${address}`,
    tone: list === "blocklist" ? "blocked" : "safelisted",
    label: `${list === "blocklist" ? "Blocked" : "Safelisted"} by ${address}`,
    detail: notEnforced ?? reason,
    ...(notEnforced === null ? decides && { note: "decides" } : { note: "not enforced" }),
    leadsTo: { href: pathTo(list, address) },
  };
}

function suggestionOption({ text, reason }: NonNullable<LookUpReply["suggestion"]>): LookUpOption {
  return { id: "suggestion", tone: "search", label: `Look up ${text}`, detail: reason, leadsTo: { text } };
}

function customerOption({ id, tier, hasOverride }: Customer): LookUpOption {
  const said = [tier && `tier ${tier}`, hasOverride && "custom throttle"].filter(Boolean).join(", ");
  return {
    id: "customer",
    tone: "customer",
    label: `Customer ${id}`,
    detail: said,
    leadsTo: customerPage(id),
  };
}

function valueOption({ name, rule, counts, says, isOver }: LookUpReply["values"][number]): LookUpOption {
  return {
    id: `value ${name}`,
    tone: isOver ? "throttled" : "search",
    label: `Counted by rule ${rule} as ${counts}`,
    detail: says,
    leadsTo: { href: `/policy?${new URLSearchParams({ rule })}` },
  };
}

function unknownCustomerOptions(id: string, mayCreate: boolean): LookUpOption[] {
  const search: LookUpOption = {
    id: "search customers",
    tone: "search",
    label: `Customers that begin with ${id}`,
    leadsTo: { href: `/customers?${new URLSearchParams({ q: id })}` },
  };
  const detail = "It has no tier and no custom throttle yet.";
  const create = { id: "new", tone: "new", label: `Create customer ${id}`, detail } as const;
  return mayCreate ? [search, { ...create, leadsTo: customerPage(id) }] : [search];
}

function customerPage(id: string) {
  return { href: `/customers/${encodeURIComponent(id)}` };
}

function pathTo(list: LookUpEntry["list"], q: string): string {
  return `/${list}?${new URLSearchParams({ q })}`;
}
