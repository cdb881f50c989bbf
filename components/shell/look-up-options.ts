import type { CoveringEntry, LookedUp } from "../../lib/queries/look-up.ts";
import type { Tone } from "../ui/tone.ts";
import { allPages, pagesNamed } from "./pages.tsx";

/** Something to choose: it leads to a page, or puts another text in place of what was typed. */
export interface LookUpOption {
  readonly id: string;
  readonly tone: Tone | "page" | "customer" | "new" | "search";
  readonly label: string;
  /** What a stranger may have written. */
  readonly detail?: string;
  readonly note?: string;
  readonly leadsTo: { readonly href: string } | { readonly text: string };
}

interface Asked {
  readonly text: string;
  /** Nothing while the answer is under way, or when there was none. */
  readonly found: LookedUp | undefined;
  readonly mayCreate: boolean;
}

/** Everything that the text may mean, the likeliest first. */
export function optionsOf({ text, found, mayCreate }: Asked): LookUpOption[] {
  if (text.trim() === "") return allPages.map(pageOption);
  const pages = pagesNamed(text).map(pageOption);
  if (!found) return pages;
  const { address, suggestion, customer } = found;
  return [
    ...(address ? addressOptions(address) : []),
    ...(suggestion ? [suggestionOption(suggestion)] : []),
    ...(customer?.isKnown ? [customerOption(customer)] : []),
    ...pages,
    ...(customer && !customer.isKnown ? unknownCustomerOptions(customer.id, mayCreate) : []),
  ];
}

type Address = NonNullable<LookedUp["address"]>;
type Customer = NonNullable<LookedUp["customer"]>;

function pageOption({ href, name }: (typeof allPages)[number]): LookUpOption {
  return { id: `page ${href}`, tone: "page", label: name, leadsTo: { href } };
}

function addressOptions({ text, covering }: Address): LookUpOption[] {
  const decisive = covering.find(({ disobeyed }) => disobeyed === null);
  const entries = covering.map((entry) => entryOption(entry, entry === decisive));
  const silent = (["blocklist", "safelist"] as const).filter((name) =>
    covering.every(({ list }) => list !== name),
  );
  const searches = silent.map(
    (list): LookUpOption => ({
      id: `search ${list}`,
      tone: "search",
      label: `Not on the ${list}`,
      note: "open it here",
      leadsTo: { href: pathTo(list, text) },
    }),
  );
  return [...entries, ...searches];
}

function entryOption({ list, address, reason, disobeyed }: CoveringEntry, decides: boolean): LookUpOption {
  return {
    id: `${list} ${address}`,
    tone: list === "blocklist" ? "blocked" : "safelisted",
    label: `${list === "blocklist" ? "Blocked" : "Safelisted"} by ${address}`,
    detail: disobeyed ?? reason,
    ...(disobeyed === null ? decides && { note: "decides" } : { note: "not obeyed" }),
    leadsTo: { href: pathTo(list, address) },
  };
}

function suggestionOption({ text, reason }: NonNullable<LookedUp["suggestion"]>): LookUpOption {
  return { id: "suggestion", tone: "search", label: `Look up ${text}`, detail: reason, leadsTo: { text } };
}

function customerOption({ id, tier, hasOverride }: Customer): LookUpOption {
  const said = [tier && `tier ${tier}`, hasOverride && "levels of its own"].filter(Boolean).join(", ");
  return {
    id: "customer",
    tone: "customer",
    label: `Customer ${id}`,
    detail: said,
    leadsTo: customerPage(id),
  };
}

function unknownCustomerOptions(id: string, mayCreate: boolean): LookUpOption[] {
  const search: LookUpOption = {
    id: "search customers",
    tone: "search",
    label: `Customers that begin with ${id}`,
    leadsTo: { href: `/customers?${new URLSearchParams({ q: id })}` },
  };
  const detail = "Nobody has given it a tier or levels yet.";
  const create = { id: "new", tone: "new", label: `Create customer ${id}`, detail } as const;
  return mayCreate ? [search, { ...create, leadsTo: customerPage(id) }] : [search];
}

function customerPage(id: string) {
  return { href: `/customers/${encodeURIComponent(id)}` };
}

function pathTo(list: CoveringEntry["list"], q: string): string {
  return `/${list}?${new URLSearchParams({ q })}`;
}
