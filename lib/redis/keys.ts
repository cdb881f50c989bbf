import type { Cidr, Ip } from "../ip/parse.ts";

export type ListName = "safelist" | "blocklist";
export const listNames: readonly ListName[] = ["safelist", "blocklist"];

export const sampleStreams = ["throttled", "blocked", "shadow", "passed"] as const;
export type SampleStream = (typeof sampleStreams)[number];
/** Denials, with those that a rule in shadow would have made, and everything else. */
export type EvidenceClass = "denied" | "passed";
/** An address, or for IPv6 its network, and a customer. */
export type EvidenceKind = "ip" | "customer";

declare const brand: unique symbol;

/** An id that cannot reach another customer's key, nor any other. Only `parseCustomerId` makes one. */
export type CustomerId = string & { readonly [brand]: "customer" };

const customer = {
  prefix: "customer:",
  tier: ":tier_redis",
  tierEnd: ":tier_end",
  override: ":throttle_hash",
  suspension: ":suspended",
} as const;

/**
 * The only place that spells a key. Prefixes under `tracked` are followed by every node through client
 * tracking, so what is written often must stay outside of them.
 */
export const keys = {
  entry: (list: ListName, address: Ip | Cidr) => `${list}:${address}`,
  /** Any address text, also one that a foreign writer spelled wrong. */
  entryPrefix: (list: ListName) => `${list}:`,

  /** String: the name of the customer's tier. */
  tier: (id: CustomerId) => `${customer.prefix}${id}${customer.tier}`,
  /** JSON: to which tier the customer goes back, and when. It ends with the key of the tier. */
  tierEnd: (id: CustomerId) => `${customer.prefix}${id}${customer.tierEnd}`,
  /** Hash of `<customer> <ms>`: tiers that end then, until a console has put the tier that follows into its key. */
  tierEnds: () => "sluice:tier-ends",
  /** Hash of the customer's own levels: period in seconds → limit. It lives as long as they do. */
  override: (id: CustomerId) => `${customer.prefix}${id}${customer.override}`,
  /** String: why the customer is suspended, as an entry's value. It ends with the suspension. */
  suspension: (id: CustomerId) => `${customer.prefix}${id}${customer.suspension}`,
  /** Any id text, also one that a foreign writer spelled wrong. */
  customerPrefix: () => customer.prefix,
  /** JSON: who made the override, when and why. */
  overrideNote: (id: CustomerId) => `sluice:customer:${id}`,
  /** Hash: name of a group of customers, or pattern of their ids → JSON of the limits that they share, who gave them, when and why. */
  sharedOverrides: () => "sluice:live:overrides",
  /** String: the ids of a group, a line each. Never changed: others have another digest. */
  groupMembers: (group: string, digest: string) => `sluice:live:group:${group}:${digest}`,
  /** Hash: group or pattern → when a check last used its override, in ms. Outside of what is tracked. */
  sharedOverrideUses: () => "sluice:overrides:used",
  /** Written when counters of a customer, or of another client, were deleted, so that nodes forget what they remember of it. */
  reset: (client: string) => `${keys.resetPrefix()}${client}`,
  resetPrefix: () => "sluice:live:reset:",

  /** JSON: the policy in force, its version and who saved it. */
  policy: () => "sluice:live:policy",
  /** Hash of version → the same JSON, for the versions that are kept. */
  policyVersions: () => "sluice:policy:versions",
  /** What digests of header and cookie values are keyed with. Without it, values are counted as they are. */
  digestKey: () => "sluice:live:digest-key",

  /** JSON: keys that references of denials are written and read with, the newest first. */
  referenceKeys: () => "sluice:live:reference-keys",

  /** Hash of `<app>/<name>` → JSON: a limit that an app's code names, as its nodes last reported it. Outside of what is tracked. */
  codeLimits: () => "sluice:limits",
  /** Hash of `<app>/<name>` → JSON: levels and mode that an admin has published for such a limit, who did so, when and why. */
  limitOverrides: () => "sluice:live:limits",

  /** Number of the last change; nodes acknowledge it. */
  change: () => "sluice:live:change",
  /** Hash: when a change was made (`at`) and when each node had applied it. */
  changeProgress: (change: number) => `${keys.changeProgressPrefix()}${change}`,
  changeProgressPrefix: () => "sluice:change:",
  /** Stream of the keys that each change wrote, for nodes that cannot use client tracking. Bounded. */
  changes: () => "sluice:changes",
  /** Hash of range → who protected it, when and why. */
  neverBlock: () => "sluice:live:never-block",

  /** Where a fixed window's counters begin; the client follows. rack-attack's own, so that both count into one. */
  fixedWindow: (rule: string, window: number) => `rack::attack:${window}:${rule}:`,
  /** A fixed window of the calendar, by its start in seconds: beside those of rack-attack, which has none. */
  calendarWindow: (period: "day" | "month", start: number, rule: string) =>
    `rack::attack:${period}-${start}:${rule}:`,
  /** Where any other counter begins; the client follows. */
  counter: (algorithm: string, periodSeconds: number, rule: string) =>
    `sluice:${algorithm}:${periodSeconds}:${rule}:`,
  /** Where the holds of a rule with `countWhen` begin; the client follows. */
  holds: (rule: string) => `sluice:held:${rule}:`,
  slidingWindow: (periodSeconds: number, rule: string, window: number) =>
    `sluice:sliding:${periodSeconds}:${window}:${rule}:`,

  /**
   * Counters. Hash of one address' denials: rule → count and end of its window; "" → until when none counts. What has the
   * same bucket lies together on a cluster.
   */
  denials: (bucket: number, address: Ip | Cidr) => `sluice:denials:{${bucket}}:${address}`,
  /**
   * String, with the life of the ban: an address that a node banned. A prefix of the nodes' own, so that a node's account can
   * write nothing that a person wrote. A console turns it into a blocklist entry with a sealed record.
   */
  ban: (address: Ip | Cidr) => `${keys.banPrefix()}${address}`,
  banPrefix: () => "sluice:live:ban:",
  /** Hash: rule → how often it banned the address; "" → when the last ban began. */
  banHistory: (address: Ip | Cidr) => `sluice:bans:history:${address}`,
  /** Hash of `<address>@<ms>` → JSON: bans whose audit record waits to be sealed. Earlier nodes use the change's number. */
  pendingBans: () => "sluice:bans:pending",

  /** Hash: id of a feed → JSON of its definition, with the digest of what it has now. */
  feeds: () => "sluice:live:feeds",
  /** String: packed ranges of a feed. Never changed: others have another digest. */
  feedContents: (id: string, digest: string) => `sluice:feed:contents:${id}:${digest}`,
  /** Hash: id of a feed → JSON of its last refresh: when, what was answered, what waits for a person. Outside of what is tracked. */
  feedStates: () => "sluice:feed:states",
  /** Hash: id of a feed → JSON of its keys on the blocklist: of which contents, until when. */
  feedKeys: () => "sluice:feed:keys",
  /** Set: addresses of these keys. */
  feedKeysWritten: (id: string) => `sluice:feed:keys:${id}`,
  /** String: API key and whole URL of a feed, encrypted. Never changed: others have another name. */
  feedSecret: (id: string, name: string) => `sluice:feed:secret:${id}:${name}`,

  /** Hash: which snapshot of lists and customers nodes may start from, and how far it is known to be complete. */
  snapshot: () => "sluice:snapshot",
  /** Hash: number of a piece → its packed contents. */
  snapshotPieces: (id: string) => `sluice:snapshot:${id}`,
  /** List: keys that were written since. */
  snapshotWritten: (id: string) => `sluice:snapshot:${id}:written`,

  /** Hash: id of a destination of alarms → JSON of it. */
  alarmDestinations: () => "sluice:alarms:destinations",
  /** Hash: id of a destination → its URL and keys, encrypted. */
  alarmSecrets: () => "sluice:alarms:secrets",
  /** Hash: kind of alarm → JSON: whether it is raised, and its quiet time. */
  alarmConditions: () => "sluice:alarms:conditions",
  /** Hash: id of an incident → JSON of it: those that are open, or may open again. Only the holder of the lease writes it. */
  alarmIncidents: () => "sluice:alarms:incidents",
  /** Hash: the same, of those that have ended. The newest are kept. */
  alarmEnded: () => "sluice:alarms:ended",
  /** Hash: id of an incident → JSON of the person who acknowledged it, and when. */
  alarmAcknowledged: () => "sluice:alarms:acknowledged",
  /** Hash: id of a message → JSON of it, until it has arrived. */
  alarmDeliveries: () => "sluice:alarms:deliveries",
  /** Hash: id of a message → JSON of when it arrived, or why it was given up. The newest are kept. */
  alarmMessages: () => "sluice:alarms:messages",
  /** Hash: name of a part → JSON of what it remembers between two passes. */
  alarmMemory: () => "sluice:alarms:memory",
  /** Hash: id → JSON of a request of a user to staff. */
  requests: () => "sluice:requests",

  /** Which process does a work that one alone has to do. */
  lease: (name: string) => `sluice:lease:${name}`,
  /** Every fixed window, of any program. */
  anyFixedWindow: () => "rack::attack:*",
  /** JSON: the highest counters of all, also those that other systems alone write. */
  highestCounters: () => "sluice:counters:highest",

  /** Hash: kind and name → JSON of a link to another system, who set it and when. */
  links: () => "sluice:links",
  /** Hash: place → JSON of a note about a client or customer, its author and time; "ticket" → the same of its ticket. */
  notes: (about: "client" | "customer", id: string) => `sluice:notes:${about}:${id}`,

  /** Hash: digest of a secret → JSON of an API token. */
  tokens: () => "sluice:tokens",
  /** Hash: digest of a secret → JSON of when its token was last used, and from where. */
  tokenUses: () => "sluice:token-uses",

  /** String, a day: the answer to a request of a token with that idempotency key, both by a digest. */
  apiAnswer: (token: string, digest: string) => `sluice:api-answer:${token}:${digest}`,
  /** Sorted set of these digests of a token by time, so that each token keeps a bounded number. */
  apiAnswers: (token: string) => `sluice:api-answers:${token}`,

  /** Hash: address or range → what bouncers were last told of it. */
  decisions: () => "sluice:decisions",
  /** Stream of the changes of these, so that each bouncer gets those since its last request. Bounded by time and values. */
  decisionLog: () => "sluice:decisions:log",
  /** How many values the stream has. */
  decisionLogValues: () => "sluice:decisions:log-values",
  /** String: the newest entry of the stream that a bouncer has. */
  bouncer: (digest: string) => `sluice:bouncer:${digest}`,

  /** Hash: email → JSON of a user. */
  users: () => "sluice:users",
  /** Hash: email → argon2id. */
  passwords: () => "sluice:passwords",
  /** Hash: email → JSON of a removed user. Single sign-on does not make this user again until an admin invites the email. */
  removedUsers: () => "sluice:removed-users",
  /** On control, outside of what a node's account reaches. Failed sign-ins of an address, a network or an account: a digest. */
  signInFailures: (kind: string, periodSeconds: number, client: string) =>
    `sluice:sign-in-failures:${periodSeconds}:${kind}:${client}`,
  /** Hash: email → JSON of the last sign-in. */
  signIns: () => "sluice:sign-ins",
  session: (id: string) => `sluice:session:${id}`,
  /** Sorted set of session ids by when they end at the latest. */
  sessions: () => "sluice:sessions",
  /** What a one-time link opens; known by the digest of its word. */
  link: (digest: string) => `sluice:link:${digest}`,

  /** Stream of sealed records, ids `<n>-0`. */
  audit: () => "sluice:audit",
  /** Hash {n, mac, proof} of the newest record, and the number of the last change that was recorded. */
  auditHead: () => "sluice:audit:head",
  /** Stream of the entries of one record that has too many to hold them itself. Its mac tells apart the records of two logs that both begin at 1. */
  auditPart: (n: number, mac: string) => `sluice:audit:part:${n}:${mac.slice(0, 16)}`,
  /** Hash {n, mac, proof, facts} of the newest of these. */
  auditPartHead: (n: number, mac: string) => `${keys.auditPart(n, mac)}:head`,
  /** Hash: digest of a request → number of the record that it has begun and not finished. */
  auditUnfinished: () => "sluice:audit:unfinished",

  /** Hash: app and what was counted → how often, in one bucket of so many seconds. */
  series: (seconds: number, bucket: number) => `sluice:series:${seconds}:${bucket}`,
  /** Hash: the same since the beginning. */
  totals: () => "sluice:totals",
  /** Sorted set of one minute: clients of an app by their requests, or by those that were denied. */
  hitters: (what: "all" | "denied", app: string, minute: number) => `sluice:hitters:${what}:${minute}:${app}`,
  /** Sorted set of so many seconds: clients of a scope by what its rules counted of them. */
  scopeHitters: (seconds: 10 | 60, bucket: number, scope: string) =>
    `sluice:hitters:scope:${seconds}:${bucket}:${scope}`,
  /** Sorted set of one minute: scopes by the number of nodes that counted them. */
  countedScopes: (minute: number) => `sluice:hitters:scopes:${minute}`,
  /** Sorted set of one minute: clients by the requests that the rule, in shadow, would have denied. */
  shadowHitters: (minute: number, rule: string) => `sluice:hitters:shadow:${minute}:${rule}`,
  /** Sorted set of so many seconds: entries of a list by the requests that they decided. */
  entryHits: (seconds: number, bucket: number, list: ListName) =>
    `sluice:hitters:entries:${seconds}:${bucket}:${list}`,
  /** Set of one minute: apps that reported. */
  activeApps: (minute: number) => `sluice:apps:${minute}`,
  /** Stream: samples of nodes that do not keep evidence, of all verdicts together. */
  feed: () => "sluice:feed",
  /** Stream: samples with one verdict. Requests that passed are a stream of their own, so that they displace no denial. */
  samples: (of: SampleStream) => `sluice:samples:${of}`,
  /** Sorted set: clients with evidence, by their denials or passes, of which earlier ones count less. lua/evidence.lua adds the client. */
  evidenceIndex: (of: EvidenceClass, kind: EvidenceKind) => `sluice:evidence:${of}:${kind}`,
  /** List: samples of one client, the newest first. The last is the first request that was kept of it. */
  evidence: (of: EvidenceClass, kind: EvidenceKind, client: string) =>
    `${keys.evidenceIndex(of, kind)}:${client}`,

  /** Sorted set of one hour: samples of denials by a random number, of which lua/evidence.lua keeps the lowest. Outside of lists of clients. */
  denialLog: (hour: number) => `sluice:evidence:log:${hour}`,
  /** String: days that the denial log is kept. */
  denialLogRetention: () => "sluice:denial-log:days",

  /** Sorted set of `<address> <customer>`, by the last request of the customer from the address. Bounded. */
  ownersSeen: () => "sluice:owners:seen",
  /** Sorted sets without scores: the same by address, and `<customer> <address>` by customer. */
  ownersByAddress: () => "sluice:owners:by-address",
  ownersByCustomer: () => "sluice:owners:by-customer",
  /** Hash: `<address> <customer>` → requests of the last hour, in spans of ten minutes. */
  ownersRequests: () => "sluice:owners:requests",
  /** Since when every customer of an address is known, in ms of Redis' clock. */
  ownersSince: () => "sluice:owners:since",
  /** Written for half a minute by the node that looks for nodes that do not report customers. */
  ownersLooked: () => "sluice:owners:looked",

  /** Hash of one hour: how often the limiter beside which an app runs Sluice decided otherwise, by reason. */
  besideCounts: (hour: number, app: string) => `sluice:beside:${hour}:${app}`,
  /** Stream: requests that the two decided differently for one reason. */
  besideExamples: (reason: string, app: string) => `sluice:beside:examples:${reason}:${app}`,
  /** Set of one hour: apps that compared requests. */
  besideApps: (hour: number) => `sluice:beside:apps:${hour}`,

  /** Sorted set of one minute: fingerprints by how often they came. */
  sightings: (kind: "standard" | "broad", minute: number) => `sluice:edge:${kind}:${minute}`,
  /** Hash: key of a fingerprint → JSON of what is denied at the edge, why and until when. */
  edgeLimited: () => "sluice:edge:limited",
  /** Hash: key of a fingerprint → JSON of who let it in again, and the minute. */
  edgeCleared: () => "sluice:edge:cleared",
  /** Written as long as an edge is kept in sync: only then nodes count fingerprints. */
  edgeInUse: () => "sluice:live:edge",
  /** JSON: whether the edge limits clients, and who said so. */
  edgeSwitch: () => "sluice:edge:switch",
  /** JSON: the last sweep, and the state of each dictionary. */
  edgeState: () => "sluice:edge:state",
  /** Stream: sweeps that changed something, or failed. */
  edgeSweeps: () => "sluice:edge:sweeps",
  /** Sorted set: calls of the last hour to one dictionary, or to all that are counted together. */
  edgeCalls: (dictionary: string) => `sluice:edge:calls:${dictionary}`,

  /** Sorted set of node ids by the Redis time of their last heartbeat. */
  nodes: () => "sluice:nodes",
  node: (id: string) => `${keys.nodePrefix()}${id}`,
  nodePrefix: () => "sluice:node:",

  /** Written and read by `doctor` alone, to see that tracking reaches it. */
  probe: () => "sluice:live:probe",
  /** Written by a node to learn whether Redis sends keyspace notifications. */
  notificationProbe: (id: string) => `sluice:probe:${id}`,
} as const;

export interface CustomerKey {
  readonly id: string;
  readonly says: "tier" | "tierEnd" | "override" | "suspension";
}

/** What a key says of a customer; the id is as it is written there. */
export function customerOf(key: string): CustomerKey | undefined {
  if (!key.startsWith(customer.prefix)) return undefined;
  for (const says of ["tier", "tierEnd", "override", "suspension"] as const) {
    if (!key.endsWith(customer[says])) continue;
    return { id: key.slice(customer.prefix.length, -customer[says].length), says };
  }
  return undefined;
}

export const tracked = ["safelist:", "blocklist:", "customer:", "sluice:live:"] as const;

/**
 * What nodes hold copies of, as one pattern, so that one walk finds it all; and of which keys they hold the contents. Letter
 * by letter, `safelist:`, `blocklist:`, `customer:` and `sluice:li…`: counters must not match, there are too many of them.
 */
export const mirrored = {
  pattern: "[sbc][alu][fosu][ecti][lkoc][ilme][sie:][tsrl][:ti]*",
  withContents: customer.prefix,
  /** Of Sluice's own keys, bans alone are copied. */
  own: ["sluice:", keys.banPrefix()],
} as const;

/** The keys of both lists, and of bans, as one pattern. */
export const listed = { pattern: "[sb][al][fou][eci][lkc][ile][si:][tsl][:ti]*", own: mirrored.own } as const;

/**
 * The client that a limit for anonymous clients counts in place of the address of a signed-in customer. No address begins so,
 * and no id holds a colon: in a rule that counts addresses the two never meet.
 */
export function clientOfId(id: string): string {
  return customer.prefix + id;
}

/** The customer that such a client is. Undefined for an address. */
export function idOfClient(client: string): string | undefined {
  return client.startsWith(customer.prefix) ? client.slice(customer.prefix.length) : undefined;
}

const plain = /^[!-@[-~]+$/;

/** A client as rack-attack writes it: stripped, and each letter in lower case alone, as Ruby does it. */
export function counterClient(text: string): string {
  if (plain.test(text)) return text;
  const stripped = text.replace(/^[\0\t-\r ]+|(?<![\0\t-\r ])[\0\t-\r ]+$/g, "");
  return Array.from(stripped, (letter) => letter.toLowerCase()).join("");
}

/** Only what is in the first braces of a key says where it lies on a cluster, so there may be no others. */
export const withoutBraces = (text: string): string =>
  text.replace(/[%{}]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`) || "%";
