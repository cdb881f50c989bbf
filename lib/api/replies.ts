import * as z from "zod/mini";

const count = z.int();
const iso = z.string();
const orNull = <T extends z.ZodMiniType>(schema: T) => z.nullable(schema);

/** Number of a change. Null if nothing was written: a dry run, or nothing had to change. */
const change = orNull(count);
const listName = z.enum(["safelist", "blocklist"]);
const mode = z.enum(["enforce", "shadow", "off"]);

const level = z.looseObject({ limit: z.number(), periodSeconds: z.number() });

export const tokenReply = z.object({
  name: z.string(),
  scopes: z.array(z.string()),
  /** The one app that the token is for. Null for all. */
  app: orNull(z.string()),
  until: orNull(iso),
});

const storedPolicy = {
  version: count,
  at: z.optional(iso),
  by: z.optional(z.string()),
  reason: z.string(),
};

/** The policy itself is parsed by its own schema. */
const policyBody = z.record(z.string(), z.unknown());

export const policyReply = z.object({
  ...storedPolicy,
  policy: policyBody,
  /** Parts that go back to what they were, and attack mode. */
  timed: z.optional(z.looseObject({ ends: z.array(z.unknown()) })),
  /** Why the policy in Redis cannot be enforced. This is then the newest one that can. */
  problem: z.optional(z.string()),
});

export const policyVersionsReply = z.object({
  versions: z.array(
    z.object({ ...storedPolicy, reason: z.optional(z.string()), problem: z.optional(z.string()) }),
  ),
});

export const savedPolicyReply = z.object({
  /** The version in force now; in a dry run, the version that it would be. */
  version: count,
  before: count,
  /** What differs, in sentences. */
  difference: z.array(z.string()),
  change,
  dryRun: z.boolean(),
});

export const policyCheckReply = z.object({
  isValid: z.boolean(),
  problems: z.array(z.object({ path: z.string(), message: z.string() })),
  /** The version in force, which the difference is to. */
  version: count,
  difference: z.array(z.string()),
});

const until = z.nullable(z.string());
export const modeReply = z.object({ mode, version: count, until });
export const savedModeReply = z.object({ mode, version: count, until, change, dryRun: z.boolean() });
const attackMode = {
  isOn: z.boolean(),
  since: z.nullable(z.string()),
  until,
  apps: z.nullable(z.array(z.string())),
  by: z.nullable(z.string()),
  reason: z.nullable(z.string()),
};
export const attackModeReply = z.object({ ...attackMode, version: count });
export const savedAttackModeReply = z.object({ ...attackMode, version: count, change, dryRun: z.boolean() });

const entry = {
  address: z.string(),
  expiresAt: orNull(iso),
  reason: z.string(),
  by: z.optional(z.string()),
  at: z.optional(iso),
  via: z.optional(z.string()),
  /** Missing where it has none, and from consoles of earlier versions. */
  tags: z.optional(z.readonly(z.array(z.string()))),
  /** Why nodes do not enforce it. */
  notEnforced: z.optional(z.string()),
};

/** Requests that nodes decided by the entry, in the last hour and in 24 h. Null where unknown. */
const hits = z.object({ hour: orNull(count), day: orNull(count) });

export const entryReply = z.object({ list: listName, ...entry });

export const entriesReply = z.object({
  list: listName,
  entries: z.array(z.object({ ...entry, hits })),
  /** For the next page. Null on the last one. */
  next: orNull(z.string()),
});

export const addOutcome = z.object({
  address: z.string(),
  outcome: z.enum(["added", "extended", "shortened", "tagged", "kept", "refused"]),
  expiresAt: z.optional(orNull(iso)),
  code: z.optional(z.string()),
  message: z.optional(z.string()),
});

export const removeOutcome = z.object({
  address: z.string(),
  outcome: z.enum(["removed", "absent", "refused"]),
  /** Entries of the same list that still cover the address. */
  coveredBy: z.optional(z.array(z.string())),
  code: z.optional(z.string()),
  message: z.optional(z.string()),
});

export const tagOutcome = z.object({
  address: z.string(),
  outcome: z.enum(["tagged", "unchanged", "absent", "refused"]),
  /** All tags of the entry now. */
  tags: z.optional(z.readonly(z.array(z.string()))),
  code: z.optional(z.string()),
  message: z.optional(z.string()),
});

const written = { change, record: orNull(count), dryRun: z.boolean() };
export const addedEntriesReply = z.object({ list: listName, outcomes: z.array(addOutcome), ...written });
export const taggedEntriesReply = z.object({ list: listName, outcomes: z.array(tagOutcome), ...written });
export const removedEntriesReply = z.object({ list: listName, outcomes: z.array(removeOutcome), ...written });

const sharedOverride = {
  /** A pattern, which has a star, or the name of a group. */
  name: z.string(),
  /** Null: those of the tier. */
  levels: orNull(z.array(level)),
  tier: orNull(z.string()),
  expiresAt: orNull(iso),
  /** The number of customers of a group. Null for a pattern. */
  customers: orNull(count),
  reason: z.string(),
  by: z.string(),
  at: iso,
};

export const overrideReply = z.object({
  ...sharedOverride,
  /** Its end has come. */
  isEnded: z.boolean(),
  /** False: the policy has no such tier, so it is not enforced. */
  isTierKnown: z.boolean(),
  /** When a check last used it, to the minute. Null for never, if `isUseKnown`. */
  usedAt: orNull(iso),
  /** False: a node may not report that. */
  isUseKnown: z.boolean(),
});

export const overridesReply = z.object({
  overrides: z.array(overrideReply),
  /** Live nodes of earlier versions, which ignore them. */
  nodesWithoutOverrides: z.array(z.string()),
});

export const overridePreviewReply = z.object({
  /** Customers that it has, as far as they are known. */
  customers: count,
  /** Of these, those with an override that wins over it. */
  overruled: count,
  /** Of these, those with requests in the last hour. */
  seen: count,
  /** Those of the last hour that would have been denied, the busiest first. */
  over: z.array(
    z.object({
      id: z.string(),
      /** Most requests in a window of the level. */
      peak: count,
      limit: z.number(),
      periodSeconds: z.number(),
    }),
  ),
  overCount: count,
  /** Levels whose windows are longer than what is read. They are not judged. */
  unjudged: z.array(level),
});

export const groupMembersReply = z.object({ name: z.string(), customers: z.array(z.string()) });

export const savedOverrideReply = z.object({
  ...sharedOverride,
  outcome: z.enum(["added", "changed", "kept"]),
  change,
  dryRun: z.boolean(),
});

export const removedOverrideReply = z.object({ name: z.string(), change, dryRun: z.boolean() });

const customer = {
  id: z.string(),
  tier: orNull(
    z.object({
      name: z.string(),
      isKnown: z.boolean(),
      expiresAt: orNull(iso),
      /** The tier from then on. Missing where there is none, and from an earlier console. */
      back: z.optional(z.string()),
    }),
  ),
  override: orNull(
    z.object({
      levels: z.array(level),
      expiresAt: orNull(iso),
      reason: z.string(),
      by: z.optional(z.string()),
      at: z.optional(iso),
    }),
  ),
  /** Its requests are answered with 403. Null for a customer that is not suspended. */
  suspension: orNull(
    z.object({
      expiresAt: orNull(iso),
      reason: z.string(),
      by: z.optional(z.string()),
      at: z.optional(iso),
    }),
  ),
  /** The levels in force. Null without any. */
  levels: orNull(z.array(level)),
  /** Where these come from. */
  from: orNull(
    z.enum(["override", "group", "pattern", "session-limits", "tier", "session-tier", "default-tier"]),
  ),
  /** The group or pattern that gives them, and the tier that it gives. Missing from an earlier console. */
  shared: z.optional(orNull(z.object({ name: z.string(), tier: z.optional(z.string()) }))),
  /** What an app's session last gave it. */
  session: orNull(z.object({ tier: orNull(z.string()), levels: orNull(z.array(level)), at: iso })),
  /** What is stored and not enforced. */
  flags: z.array(z.string()),
};

export const customerReply = z.object(customer);
export const customersReply = z.object({ customers: z.array(z.object(customer)), next: orNull(z.string()) });
export const savedCustomerReply = z.object({
  ...customer,
  outcome: z.enum(["set", "removed", "kept"]),
  change,
  dryRun: z.boolean(),
});
export const resetReply = z.object({ id: z.string(), deleted: count, change, dryRun: z.boolean() });

export const usageReply = z.object({
  id: z.string(),
  mode,
  levels: z.array(
    z.object({
      rule: z.string(),
      algorithm: z.string(),
      /** The level in words. */
      says: z.string(),
      limit: z.number(),
      periodSeconds: z.number(),
      used: z.number(),
      remaining: z.number(),
      resetSeconds: z.number(),
      isOver: z.boolean(),
      /** The level is only reported: it denies nothing. */
      isShadowed: z.boolean(),
    }),
  ),
});

const explainedEntry = z.object({ list: listName, ...entry });
const explainedRule = z.looseObject({ says: z.string(), isDeciding: z.boolean() });

export const explainReply = z.object({
  client: z.optional(z.string()),
  outcome: z.string(),
  status: count,
  says: z.string(),
  /** Set if the outcome is less than certain. */
  trouble: z.optional(z.string()),
  steps: z.array(
    z.object({
      step: z.string(),
      decides: z.boolean(),
      says: z.string(),
      entries: z.array(explainedEntry),
      rules: z.array(explainedRule),
      slack: z.array(z.object({ rule: z.string(), says: z.string() })),
    }),
  ),
});

export const explainValueReply = z.object({
  /** Of each level of each rule that counts by a header or cookie. */
  rules: z.array(z.looseObject({ rule: z.string(), says: z.string() })),
});

export const denialReply = z.object({
  at: iso,
  outcome: z.enum(["blocked", "throttled"]),
  /** When, where and why, in one sentence. */
  says: z.string(),
  /** Null where the name is no longer known. */
  app: orNull(z.string()),
  /** Null for a limit in code that counts no address. */
  client: orNull(z.string()),
  by: z.object({
    kind: z.enum(["entry", "feed", "suspension", "rule"]),
    /** The blocklist entry, or the feed's range. */
    address: z.optional(z.string()),
    feed: z.optional(z.string()),
    rule: z.optional(z.string()),
  }),
  /** Null for an anonymous request, and where the ID is no longer known. */
  customer: orNull(z.string()),
  /** What the rule counted, if it is neither an address nor a customer. Null where it is no longer known. */
  counted: orNull(z.string()),
  /** Whether the same denies the client now. Null where that cannot be known. */
  applies: orNull(z.boolean()),
  now: z.string(),
});

export const denialsReply = z.object({
  denials: z.array(
    z.object({
      at: iso,
      outcome: z.string(),
      client: z.string(),
      /** "" for an anonymous request. */
      customer: z.string(),
      rule: z.string(),
      app: z.string(),
      method: z.string(),
      host: z.string(),
      path: z.string(),
      userAgent: z.string(),
      /** How many denials it was chosen from. */
      standsFor: count,
    }),
  ),
  next: orNull(z.string()),
  /** Denials that the log has of the hours of this time, whatever the filter. */
  kept: count,
  /** Denials that were counted in these hours. Null where that is no longer known. */
  total: orNull(count),
  /** Earlier denials are not kept. */
  since: iso,
  retentionDays: count,
});

/** How long the log is kept. */
export const denialRetentionReply = z.object({ days: count });
export const savedDenialRetentionReply = z.object({
  days: count,
  /** Days before. */
  before: count,
  /** Number of the audit record. Null if nothing was written. */
  record: orNull(count),
  dryRun: z.boolean(),
});

const recordFacts = {
  n: count,
  at: iso,
  actor: z.string(),
  address: z.optional(z.string()),
  /** The source: "console", "cli", "api", "auto:<rule>". */
  via: z.string(),
  action: z.string(),
  /** The record that it undoes. */
  undoes: z.optional(count),
  change,
  reason: z.string(),
};

const storedValue = orNull(z.object({ value: orNull(z.string()), expiresAt: orNull(iso) }));
export const recordReply = z.object({
  ...recordFacts,
  /** What it did, in words after the actor. */
  says: z.string(),
  changes: z.array(z.object({ target: z.string(), before: storedValue, after: storedValue })),
  /** Entries of a large record, which are not listed. */
  entries: z.optional(count),
});

export const auditReply = z.object({
  records: z.array(recordReply),
  /** Records that are not as Sluice wrote them. */
  damaged: z.array(count),
  next: orNull(z.string()),
});

export const nodesReply = z.object({
  nodes: z.array(
    z.object({
      id: z.string(),
      app: z.string(),
      host: z.string(),
      version: z.string(),
      startedAt: iso,
      seenAt: iso,
      change: count,
      isInSync: z.boolean(),
      /** How the node follows writes: "tracking", "polling", … */
      following: orNull(z.string()),
      counters: orNull(z.string()),
    }),
  ),
});

export const changeReply = z.object({
  change: count,
  nodes: count,
  appliedOn: count,
  slowestMs: z.number(),
  /** Nodes that have not applied it yet. */
  lagging: z.array(z.string()),
});

const feedContents = z.object({
  digest: z.string(),
  ranges: count,
  v4: count,
  v6: count,
  /** IPv4 addresses. */
  addresses: z.number(),
  at: iso,
  /** Ranges, compared with the contents before. */
  added: count,
  removed: count,
});

export const feedReply = z.object({
  id: z.string(),
  name: z.string(),
  list: listName,
  /** With … in place of secrets. */
  source: z.string(),
  header: orNull(z.string()),
  column: orNull(z.union([z.string(), count])),
  mode: z.enum(["enforce", "shadow"]),
  isPaused: z.boolean(),
  isWideConfirmed: z.boolean(),
  everySeconds: z.number(),
  keepSeconds: orNull(z.number()),
  holdPercent: z.number(),
  /** Life of its `blocklist:` keys. Null: it has none. */
  keysSeconds: orNull(z.number()),
  by: z.string(),
  at: iso,
  /** Null before the first refresh. */
  contents: orNull(feedContents),
  /** New contents that wait for a decision. */
  held: orNull(feedContents),
  failing: orNull(z.object({ since: iso, tries: count, cause: z.string() })),
  /** The last reading that did not fail. */
  readAt: orNull(iso),
  /** What it left out: wide ranges, ranges that are too wide, and lines without an address. */
  left: orNull(z.object({ wide: count, tooWide: count, unread: count })),
});

/** Requests of the last 24 h: those that a feed decided, and those that it would have blocked in shadow. */
export const feedHitsReply = z.object({ id: z.string(), decided: count, shadowed: count });

export const feedsReply = z.object({ feeds: z.array(feedReply) });

export const changedFeedReply = z.object({ feed: feedReply, change, dryRun: z.boolean() });

export const refreshedFeedReply = z.object({
  feed: feedReply,
  outcome: z.enum(["changed", "unchanged", "held", "failed"]),
  /** Why it failed. */
  cause: z.optional(z.string()),
  change,
  dryRun: z.boolean(),
});
