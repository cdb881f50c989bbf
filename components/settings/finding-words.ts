interface Words {
  readonly title: string;
  /** Why it matters. */
  readonly matters: string;
  /** Page where it is fixed. */
  readonly leads?: { readonly href: string; readonly label: string };
}

const words: Readonly<Record<string, Words>> = {
  connection: {
    title: "Redis",
    matters:
      "It holds the lists, customers and policy. Nodes keep their last known state while Redis is unavailable.",
  },
  version: {
    title: "Redis version",
    matters: "Nodes follow changes with commands that older servers do not have.",
  },
  eviction: {
    title: "Eviction",
    matters: "A full Redis must refuse writes, and never evict an entry.",
  },
  persistence: {
    title: "Persistence",
    matters: "After a restart, both lists hold what Redis saved to disk.",
  },
  clock: { title: "Clock", matters: "Redis' clock decides when an entry expires." },
  scripts: {
    title: "Scripts",
    matters: "Each change is one script, so a change is never made without its audit record.",
  },
  tracking: { title: "Announcements", matters: "Nodes receive changes this way within milliseconds." },
  counters: { title: "Counters", matters: "Rules count there. Lost counts start again from zero." },
  nodes: { title: "Nodes", matters: "These processes enforce. A node that lags enforces an older state." },
  entries: {
    title: "Entries",
    matters: "An entry from another program may not have the intended effect.",
    leads: { href: "/blocklist", label: "Open the blocklist" },
  },
  policy: { title: "Policy", matters: "It decides which rules are enforced and which only report." },
  customers: {
    title: "Customers",
    matters: "A tier or limit that is not valid is not enforced.",
    leads: { href: "/customers", label: "Open customers" },
  },
  overrides: {
    title: "Overrides",
    matters: "Groups and patterns of customers have these limits on every node, or on some.",
    leads: { href: "/overrides", label: "Open the overrides" },
  },
  "default-tier": {
    title: "Default tier",
    matters: "Without one, limits for anonymous clients count each customer that has no tier by its id.",
    leads: { href: "/policy", label: "Open the policy" },
  },
  edge: {
    title: "Edge",
    matters: "Clients are denied and let in there only while the edges are in sync.",
    leads: { href: "/edge", label: "Open the edge" },
  },
  audit: {
    title: "Audit log",
    matters: "Each record is sealed with the one before it, so that a changed record is found.",
    leads: { href: "/audit", label: "Open the audit log" },
  },
  "sign-ins": {
    title: "Sign-ins",
    matters: "Failed sign-ins are limited by address, and slowed down by account.",
    leads: { href: "/audit", label: "Open the audit log" },
  },
  networks: {
    title: "Network data",
    matters: "Country and network of each address. Rules and lists do not use them.",
  },
  "first-admin": {
    title: "First password",
    matters: "Other people may have read it in the console's log or configuration.",
    leads: { href: "/settings/account", label: "Open your account" },
  },
  secret: { title: "Secret", matters: "It signs sessions and seals the audit log." },
  https: { title: "Connection to the console", matters: "Passwords and sessions travel over it." },
  "redis-link": {
    title: "Connection to Redis",
    matters: "Any program that reaches Redis can change what nodes enforce.",
  },
  "counters-link": {
    title: "Connection to the counters",
    matters: "Any program that reaches the counters can reset a throttle.",
  },
  "check-token": { title: "Check token", matters: "Proxies send it to request verdicts." },
  "check-apps": { title: "Apps of the check", matters: "A check token gets verdicts for these apps only." },
  "metrics-token": { title: "Metrics token", matters: "Prometheus sends it to read the fleet's counts." },
};

export function findingWords(check: string): Words {
  return words[check] ?? { title: check, matters: "" };
}
