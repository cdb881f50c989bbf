interface Words {
  readonly title: string;
  /** Why anybody should care. */
  readonly matters: string;
  /** Where it is put right. */
  readonly leads?: { readonly href: string; readonly label: string };
}

const words: Readonly<Record<string, Words>> = {
  connection: {
    title: "Redis",
    matters: "It holds the lists, customers and policy. Nodes go on with what they know while it is away.",
  },
  version: {
    title: "Redis' version",
    matters: "Nodes follow changes in a way that older servers do not know.",
  },
  eviction: {
    title: "Full memory",
    matters: "A full Redis must refuse writes, and never drop an entry for room.",
  },
  persistence: {
    title: "Restart of Redis",
    matters: "What it keeps on disk is what both lists begin with again.",
  },
  clock: { title: "Clock", matters: "Redis' clock decides when an entry ends." },
  scripts: {
    title: "Scripts",
    matters: "Every change is one script, so that it is made with its record or not at all.",
  },
  tracking: { title: "Announcements", matters: "This is how nodes hear of a change within milliseconds." },
  counters: { title: "Counters", matters: "Throttles count there. What is lost is counted anew." },
  nodes: { title: "Nodes", matters: "These processes stop clients. Whoever lags does so by an older state." },
  entries: {
    title: "Entries",
    matters: "What somebody wrote past the console may not do what was meant.",
    leads: { href: "/blocklist", label: "Open the blocklist" },
  },
  policy: { title: "Policy", matters: "It says which rules stop clients and which only report." },
  customers: {
    title: "Customers",
    matters: "A tier or limit that cannot be read is not obeyed.",
    leads: { href: "/customers", label: "Open customers" },
  },
  edge: {
    title: "Edge",
    matters: "Who is turned away there, and who is let in again, waits until the edges are as wished.",
    leads: { href: "/edge", label: "Open the edge" },
  },
  audit: {
    title: "Audit log",
    matters: "Each record is sealed with the one before it, so that nobody changes the past.",
    leads: { href: "/audit", label: "Open the audit log" },
  },
  secret: { title: "Secret", matters: "It signs sessions and seals the audit log." },
  https: { title: "Way to the console", matters: "Passwords and sessions travel over it." },
  "redis-link": { title: "Way to Redis", matters: "Whoever reaches Redis can change what nodes obey." },
  "counters-link": { title: "Way to the counters", matters: "Whoever reaches them can reset a throttle." },
  token: { title: "Token", matters: "Proxies and scrapers show it to ask for verdicts and figures." },
};

export function findingWords(check: string): Words {
  return words[check] ?? { title: check, matters: "" };
}
