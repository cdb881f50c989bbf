/** What an alarm can be about. */
export const alarmKinds = [
  "attack",
  "ban",
  "customer",
  "request",
  "mode",
  "policy",
  "redis",
  "node",
  "feed",
  "expiry",
  "sign-in",
] as const;
export type AlarmKind = (typeof alarmKinds)[number];

interface KindTerms {
  /** Its name in forms and in the command line's list. */
  readonly name: string;
  /** When it is raised. */
  readonly about: string;
  /** Ms: the shortest time between two messages about one cause, unless an admin chooses another. */
  readonly quietMs: number;
  /** A message says that the incident has ended. */
  readonly saysEnd: boolean;
  /** It ends only after a time of calm, so one that is back after a message of its end is said at once. */
  readonly isCalmBefore?: true;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export const kindTerms: Readonly<Record<AlarmKind, KindTerms>> = {
  attack: {
    name: "Attack",
    about: "Denials of an app are far over their usual rate at this hour",
    quietMs: 10 * minuteMs,
    saysEnd: true,
    isCalmBefore: true,
  },
  ban: { name: "Ban", about: "A rule bans a client", quietMs: 30 * minuteMs, saysEnd: false },
  customer: {
    name: "Customer near a limit",
    about: "A customer has used 80%, then 100% of a limit",
    quietMs: hourMs,
    saysEnd: false,
  },
  request: {
    name: "Request",
    about: "A user asks staff to block, unblock or change something",
    quietMs: minuteMs,
    saysEnd: true,
  },
  mode: { name: "Mode", about: "The mode is switched", quietMs: minuteMs, saysEnd: false },
  policy: {
    name: "Policy",
    about: "The policy or a limit in code is changed",
    quietMs: 15 * minuteMs,
    saysEnd: false,
  },
  redis: {
    name: "Redis or counters unavailable",
    about:
      "Redis, or the counters, do not answer a console or a node, or Redis refuses writes; and when they work again",
    quietMs: 5 * minuteMs,
    saysEnd: true,
  },
  node: {
    name: "Node out of sync",
    about: "A node has not applied a change for 10 s, or its copy is old",
    quietMs: 10 * minuteMs,
    saysEnd: true,
  },
  feed: {
    name: "Feed",
    about: "A feed fails, or its new contents wait for a decision",
    quietMs: 6 * hourMs,
    saysEnd: true,
  },
  expiry: {
    name: "Entries about to expire",
    about: "Entries that were made for 3 d or longer expire tomorrow, by UTC",
    quietMs: 24 * hourMs,
    saysEnd: false,
  },
  "sign-in": {
    name: "Refused sign-ins",
    about: "10 or more sign-ins are refused within 10 min, or an account is slowed down",
    quietMs: hourMs,
    saysEnd: false,
  },
};

export function isAlarmKind(text: unknown): text is AlarmKind {
  return alarmKinds.some((kind) => kind === text);
}

/** Of a quiet time that an admin chooses. */
export const shortestQuietMs = minuteMs;
export const longestQuietMs = 7 * 24 * hourMs;

/** What can receive alarms. */
export const destinationKinds = ["webhook", "slack", "teams", "ntfy", "email"] as const;
export type DestinationKind = (typeof destinationKinds)[number];
