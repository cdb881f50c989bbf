import * as z from "zod/mini";
import type { CustomerId } from "../../redis/keys.ts";
import { text, whole } from "./bounds.ts";
import type { Level } from "./levels.ts";
import type { Policy, Rule } from "./schema.ts";

/** What a policy asks of a customer. */
export interface StoredLimits {
  /** Also one that the policy may not know. */
  readonly tier: string | undefined;
  /** The customer's own levels. Customers with equal ones share one list, so that they can share a plan. */
  readonly override: readonly Level[] | undefined;
  /** Every request of the customer is answered with 403, whatever its limits are. */
  readonly isSuspended?: boolean | undefined;
}

/** What the app's own session says of a customer, with a request. */
export interface SessionLimits {
  readonly tier?: string | undefined;
  readonly levels?: readonly Level[] | undefined;
}

/** The override of a group of customers, or of all whose ids match a pattern: levels, or a tier of the policy. */
export interface SharedOverride {
  readonly from: "group" | "pattern";
  /** The group's name, or the pattern. */
  readonly name: string;
  readonly levels: readonly Level[] | undefined;
  /** In place of levels. Also one that the policy may not know. */
  readonly tier: string | undefined;
  /** When it ends, by `performance.now()`. Infinite for never. */
  readonly endsAt: number;
}

/** In the order in which they win. */
export type LimitsSource =
  | "override"
  | "group"
  | "pattern"
  | "session-limits"
  | "tier"
  | "session-tier"
  | "default-tier";

export interface Limits {
  readonly levels: readonly Level[];
  readonly from: LimitsSource;
  /** The tier that they are from. */
  readonly tier?: string;
  /** The group or pattern that gives them. */
  readonly name?: string;
}

/**
 * The limits that count for a customer: its override, else that of a group, else that of a pattern, else those that the app's
 * session gives, else those of its tier, of the tier that the session gives, or of the default tier. Undefined where the policy
 * knows none of them: then the limits for anonymous clients count the customer, by its id.
 *
 * @param shared overrides of groups and patterns that have the customer, in the order in which they win
 */
export function limitsOf(
  policy: Pick<Policy, "tiers" | "defaultTier">,
  stored: Partial<StoredLimits> | undefined,
  session?: SessionLimits | undefined,
  shared: readonly SharedOverride[] = [],
): Limits | undefined {
  const { tiers, defaultTier } = policy;
  const override = stored?.override;
  if (override) return { levels: override, from: "override" };
  const ofMany = sharedLimits(policy, shared);
  if (ofMany) return ofMany;
  if (session?.levels) return { levels: session.levels, from: "session-limits" };
  const named = [
    ["tier", stored?.tier],
    ["session-tier", session?.tier],
    ["default-tier", defaultTier],
  ] as const;
  for (const [from, tier] of named) {
    const known = tier !== undefined && Object.hasOwn(tiers, tier) ? tiers[tier] : undefined;
    if (known && tier !== undefined) return { levels: known.levels, from, tier };
  }
  return undefined;
}

/** The limits of the first of these overrides that is in force. One with a tier that the policy does not know is not. */
export function sharedLimits(
  { tiers }: Pick<Policy, "tiers">,
  shared: readonly SharedOverride[],
): Limits | undefined {
  for (const { from, name, levels, tier, endsAt } of shared) {
    if (endsAt !== Number.POSITIVE_INFINITY && endsAt <= performance.now()) continue;
    if (levels) return { levels, from, name };
    const known = tier !== undefined && Object.hasOwn(tiers, tier) ? tiers[tier] : undefined;
    if (known && tier !== undefined) return { levels: known.levels, from, name, tier };
  }
  return undefined;
}

/** The signed-in customer of a request, as the policy sees it. Decided once a request. */
export interface Caller {
  readonly id: CustomerId;
  /** Undefined: it has none of its own, and limits for anonymous clients count it by its id. */
  readonly limits: Limits | undefined;
  readonly isSuspended?: true | undefined;
  /** What the app gave with the request and the policy cannot use, for people. Undefined for most. */
  readonly ignored?: IgnoredLimits | undefined;
}

/** Statistics count denials of suspended customers under this name in place of a rule's. No rule may have it. */
export const suspensionName = "suspension";

/** The customer, suspended or not. @param caller undefined until the policy is known: a suspension does not wait for it */
export function withSuspension(
  caller: Caller | undefined,
  id: CustomerId,
  stored: StoredLimits | undefined,
): Caller | undefined {
  return stored?.isSuspended ? { id, limits: undefined, ...caller, isSuspended: true } : caller;
}

/** A tier or limits of the app's session that are ignored. */
export interface IgnoredLimits {
  readonly field: "tier" | "limits";
  readonly says: string;
}

/** Whether the rule counts addresses of anonymous clients, and so the ids of customers without limits of their own. */
export function countsIds({ client, match }: Pick<Rule, "client" | "match">): boolean {
  return match.who === "anonymous" && counts(client, "ip");
}

const header = text(
  /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/,
  "write a header's name: letters, digits and dashes, at most 64",
).check(z.toLowerCase());
const cookie = text(
  /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/,
  "write a cookie's name: letters, digits and dashes, at most 64",
);
const code = text(
  /^[A-Za-z0-9_.-]{1,64}$/,
  "write a name that createGuard({ clients }) gives: letters, digits, _ . -, at most 64",
);

const plain = ["ip", "user", "customer", "path", "standard", "broad"] as const;
const says =
  `write who is counted: one of ${plain.join(", ")}, ` +
  'or { ip: { v4: 24, v6: 48 } }, { header: "name" }, { cookie: "name" }, { code: "name" }, { all: [ … ] }';

const networkSays = "write how many bits of an address name its network: { ip: { v4: 24, v6: 48 } }";
/** Wider networks would be one client that is half a country. */
const network = z.strictObject(
  { v4: z._default(whole(16, 32), 24), v6: z._default(whole(32, 64), 48) },
  { error: networkSays },
);

/** How many bits of an address name the network that is counted. */
export type NetworkLengths = Readonly<z.output<typeof network>>;

/** Counts and shows the value of a header or cookie as it is; otherwise only its digest. */
const show = z.boolean({ error: "write true or false" });
const named = {
  ip: z.optional(network),
  ...{ header: z.optional(header), cookie: z.optional(cookie), code: z.optional(code) },
  show: z.optional(show),
};
const part = z.union([z.enum(plain), exactlyOne(z.strictObject(named, { error: says }))], { error: says });
const all = z
  .array(part, { error: "write a list of who is counted together" })
  .check(
    z.minLength(2, { error: "name at least two that are counted together" }),
    z.maxLength(4, { error: "at most four are counted together" }),
  );

/** Who is counted: one thing, or several together. */
export const clientSchema = z.union(
  [z.enum(plain), exactlyOne(z.strictObject({ ...named, all: z.optional(all) }, { error: says }))],
  { error: says },
);

export type Client = z.output<typeof clientSchema>;

/** Does the client take this into account? */
export function counts(client: Client, what: (typeof plain)[number]): boolean {
  if (typeof client === "string") return client === what;
  if (what === "ip" && client.ip) return true;
  return (
    client.all?.some((part) => part === what || (typeof part === "object" && counts(part, what))) === true
  );
}

/** Whether the client is an address or its network, and nothing else. */
export function countsAddresses(client: Client): boolean {
  return client === "ip" || (typeof client === "object" && client.ip !== undefined);
}

/** The network in whose name a rule counts an address, and which it bans. IPv4 addresses are counted alone unless it says otherwise. */
export function networkOf({ client, ipv6Prefix }: Pick<Rule, "client" | "ipv6Prefix">): NetworkLengths {
  const parts = typeof client === "string" ? [] : [client, ...(client.all ?? [])];
  const own = parts.find((part) => typeof part === "object" && part.ip !== undefined);
  return (typeof own === "object" && own.ip) || { v4: 32, v6: ipv6Prefix };
}

function exactlyOne<T extends z.ZodMiniType<object>>(schema: T) {
  return schema.check(
    z.refine((given) => namesIn(given).length === 1, {
      error: "name exactly one of ip, header, cookie, code, all",
    }),
    z.refine(
      (given) => !("show" in given) || namesIn(given).every((name) => ["header", "cookie"].includes(name)),
      {
        error: "show is for the value of a header or cookie: leave it out",
        path: ["show"],
      },
    ),
  );
}

function namesIn(given: object): string[] {
  return Object.entries(given).flatMap(([name, value]) =>
    name === "show" || value === undefined ? [] : [name],
  );
}

/** What a rule counts, as far as it says which customers its clients are. */
export function kindOf(client: Client, isAnonymous: boolean): "ip" | "anonymous" | "customer" | "other" {
  if (client === "customer") return client;
  if (!countsAddresses(client)) return "other";
  return isAnonymous ? "anonymous" : "ip";
}
