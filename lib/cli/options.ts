interface Option {
  /** Value as help shows it. Undefined for a switch. */
  readonly value?: string;
  /** Whether the value may be missing. */
  readonly isOptional?: boolean;
  readonly short?: string;
  readonly says: string;
}

/** Options of all commands. A name means the same in every command. */
const optionTable = {
  ttl: { value: "<duration>", says: "90s, 30m, 24h, 7d, 1w or never; default 1w" },
  reason: { value: "<text>", says: "why; the console and the audit log show it" },
  tag: {
    value: "<tags>",
    says: "short words to find entries by, with a comma or space between; may be repeated",
  },
  untag: { value: "<tags>", says: "tags to remove; may be repeated" },
  confirm: { value: "<range>", says: "confirms a range wider than /24 (IPv6 /48); may be repeated" },
  "forget-earlier": { says: "refuse references of earlier keys at once" },
  force: { says: "shorten an entry that expires later" },
  search: {
    value: "<text>",
    says: "for lists, an address or range: entries that cover it or lie inside it; for customers, the beginning of an ID",
  },
  limit: { value: "<n|all>", says: "how many to show; default 100" },
  expires: { value: "<duration>", says: "90s, 30m, 24h, 7d, 1w or never; default never, for tokens 90d" },
  list: { value: "<list>", says: "blocklist or safelist; default blocklist" },
  for: { value: "<duration>", says: "how long it lasts, 30m, 2h, 7d; then what it changes goes back" },
  every: { value: "<duration>", says: "how often a feed is read; default 1h" },
  keep: {
    value: "<duration>",
    says: "how long a feed that fails keeps its contents, or never to end; default 1w",
  },
  hold: {
    value: "<percent>",
    says: "a refresh that changes a feed by more waits for a decision; default 50",
  },
  keys: {
    value: "<duration>",
    says: "also write the ranges of a feed as blocklist: keys of this life, for programs that know only those",
  },
  column: { value: "<name|n>", says: "column of a feed's lines that has the address" },
  wide: { says: "also take ranges wider than /24 (IPv6 /48) of a feed" },
  header: {
    value: "<name[: value]>",
    says: "for feeds, the header that carries the API key; for explain, a header of the request, which may be repeated",
  },
  tier: { value: "<tier>", says: "a tier of the policy, in place of levels" },
  customers: {
    value: "<file|->",
    says: "customers of the group from now on, one ID a line; - reads standard input",
  },
  with: { value: "<id>", says: "adds a customer to the group; may be repeated" },
  without: { value: "<id>", says: "takes a customer out of the group; may be repeated" },
  alarm: { value: "<kind>", says: "kind of alarm that a destination gets; may be repeated; default all" },
  quiet: { value: "<duration>", says: "shortest time between two messages about one cause" },
  clear: { says: "remove the customer's own levels, or what is published for a limit of code" },
  mode: { value: "<mode>", says: "enforce, shadow or off" },
  "based-on": {
    value: "<n>",
    says: "the version that this change is made from; refused if another version is in force",
  },
  "only-valid": { says: "import the valid lines even if others are not valid" },
  "even-with-old-nodes": {
    says: "save even if nodes of an older version run; these leave rules out, keep the policy that they have, or ignore the override",
  },
  replace: { says: "change the rule of this name, in its place" },
  "exit-code": { says: "exit with 1 if there is a difference" },
  "dry-run": { says: "show what would change, and write nothing" },
  app: {
    value: "<name>",
    says: "app that gets the request, for rules that name apps; for reports, the one app shown; for tokens, the one app that the token is for",
  },
  since: { value: "<duration>", says: "how far a report looks back: 30m, 2h, 7d; default 24h" },
  client: { value: "<ip|range>", says: "client that was denied" },
  rule: { value: "<text>", says: "a part of what denied: a rule, an entry or a feed" },
  outcome: { value: "<outcome>", says: "blocked or throttled" },
  csv: { says: "print a table in CSV on stdout" },
  path: { value: "<path>", says: "path of the request; default /. For the denial log, a part of it" },
  method: { value: "<method>", says: "method of the request; default GET" },
  "user-agent": { value: "<text>", says: "user agent of the request" },
  country: { value: "<country>", says: "country of the client, by two letters; default none" },
  "verified-bot": { value: "<yes|no>", says: "whether the request is of a verified bot; default unknown" },
  customer: { value: "<id>", says: "customer that sends the request" },
  value: {
    value: "<text|->",
    says: "value of every header and cookie that a rule counts by; - reads standard input",
  },
  scope: { value: "<scope>", says: "what a token may do; may be repeated" },
  role: { value: "<role>", says: "viewer, staff, support or admin" },
  url: { value: "<url>", says: "where browsers reach the console; default NEXTAUTH_URL" },
  json: { says: "print one JSON document on stdout, errors included" },
  redis: { value: "<url>", says: "Redis of the lists; default REDIS_URL" },
  help: { short: "h", says: "explain the command" },
  version: {
    value: "<n>",
    isOptional: true,
    says: "version of the policy; without a number, print the version of sluice",
  },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof optionTable;

/** Options of every command. */
export const commonOptions: readonly OptionName[] = ["json", "redis", "help"];

export const optionNames = Object.keys(optionTable).filter(isOptionName);

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(optionTable, name);
}

export function optionOf(name: OptionName): Option {
  return optionTable[name];
}

/** Options of one command line. */
export class GivenOptions {
  readonly #given: ReadonlyMap<OptionName, readonly string[]>;

  constructor(given: ReadonlyMap<OptionName, readonly string[]>) {
    this.#given = given;
  }

  get names(): readonly OptionName[] {
    return [...this.#given.keys()];
  }

  has(name: OptionName): boolean {
    return this.#given.has(name);
  }

  /** Value of an option. If it is given more than once, the last one counts. */
  text(name: OptionName): string | undefined {
    return this.#given.get(name)?.at(-1);
  }

  texts(name: OptionName): readonly string[] {
    return this.#given.get(name) ?? [];
  }
}
