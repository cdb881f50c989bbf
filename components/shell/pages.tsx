import {
  Activity,
  Ban,
  Bell,
  Code,
  FlaskConical,
  Globe,
  History,
  Layers,
  LayoutDashboard,
  Rss,
  Settings,
  ShieldCheck,
  ShieldX,
  SlidersHorizontal,
  Users,
} from "lucide-react";
import type { ReactNode } from "react";
import type { ListName } from "@/lib/redis/keys.ts";

export interface Page {
  readonly href: string;
  readonly name: string;
  readonly icon: ReactNode;
  /** The list whose entries are counted beside its name. */
  readonly counts?: ListName;
  /** What waits there for a person is counted beside its name. */
  readonly hasWaiting?: true;
  /** Words that also find the page. */
  readonly words: string;
}

const overview: Page = {
  href: "/",
  name: "Overview",
  icon: <LayoutDashboard />,
  words: "home nodes health mode",
};
const offenders: Page = {
  href: "/offenders",
  name: "Offenders",
  icon: <Activity />,
  words: "attack top clients earrrl counters",
};
const blocklist: Page = {
  href: "/blocklist",
  name: "Blocklist",
  icon: <Ban />,
  counts: "blocklist",
  words: "block deny ban addresses",
};
const safelist: Page = {
  href: "/safelist",
  name: "Safelist",
  icon: <ShieldCheck />,
  counts: "safelist",
  words: "safe allow addresses",
};
const feeds: Page = {
  href: "/feeds",
  name: "Feeds",
  icon: <Rss />,
  words: "threat lists sources networks countries urls",
};
const alarms: Page = {
  href: "/alarms",
  name: "Alarms",
  icon: <Bell />,
  hasWaiting: true,
  words: "incidents requests webhooks destinations notifications email slack",
};
const customers: Page = {
  href: "/customers",
  name: "Customers",
  icon: <Users />,
  words: "tier limits override",
};
const overrides: Page = {
  href: "/overrides",
  name: "Overrides",
  icon: <Layers />,
  words: "customers groups patterns limits tiers",
};
const denials: Page = {
  href: "/denials",
  name: "Denials",
  icon: <ShieldX />,
  words: "log denied throttled requests evidence export",
};
const policy: Page = {
  href: "/policy",
  name: "Policy",
  icon: <SlidersHorizontal />,
  words: "rules limits tiers versions shadow",
};
const edge: Page = {
  href: "/edge",
  name: "Edge",
  icon: <Globe />,
  words: "cdn cache varnish haproxy fastly fingerprints tools scanners",
};
const lab: Page = {
  href: "/lab",
  name: "Lab",
  icon: <FlaskConical />,
  words: "simulation algorithms compare",
};
const audit: Page = { href: "/audit", name: "Audit", icon: <History />, words: "log history undo changes" };
const api: Page = {
  href: "/settings/api",
  name: "API",
  icon: <Code />,
  words: "reference openapi tokens curl programs",
};
const settings: Page = {
  href: "/settings",
  name: "Settings",
  icon: <Settings />,
  words: "users roles never-block doctor health",
};

/** Every page of the console, as the navigation groups them. */
export const pageGroups: readonly { readonly name: string; readonly pages: readonly Page[] }[] = [
  { name: "Operate", pages: [overview, offenders, blocklist, safelist, feeds, alarms] },
  { name: "Tune", pages: [customers, overrides, policy, edge, lab] },
  { name: "Record", pages: [denials, audit, api, settings] },
];

export const allPages: readonly Page[] = pageGroups.flatMap(({ pages }) => pages);

/** Pages at the bottom of a phone. The others are in the menu. */
export const tabs: readonly Page[] = [overview, offenders, blocklist, customers];

/** Whether the path belongs to the page, and to no page below it. */
export function isWithin(path: string, { href }: Pick<Page, "href">): boolean {
  const below = allPages.filter((page) => page.href.startsWith(`${href}/`));
  if (below.some((page) => isWithin(path, page))) return false;
  return path === href || (href !== "/" && path.startsWith(`${href}/`));
}

export function pagesNamed(text: string): Page[] {
  const wish = text.trim().toLowerCase();
  if (wish === "") return [];
  const begins = (words: string) =>
    words
      .toLowerCase()
      .split(" ")
      .some((word) => word.startsWith(wish));
  return allPages.filter(({ name, words }) => begins(name) || begins(words));
}
