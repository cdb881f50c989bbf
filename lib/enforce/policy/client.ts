import { z } from "zod";
import type { CustomerId } from "../../redis/keys.ts";
import { text } from "./bounds.ts";
import type { Level } from "./levels.ts";
import type { Policy, Rule } from "./schema.ts";

/** What a policy asks of a customer. */
export interface StoredLimits {
  /** Also one that the policy may not know. */
  readonly tier: string | undefined;
  /** The customer's own levels. Customers with equal ones share one list, so that they can share a plan. */
  readonly override: readonly Level[] | undefined;
}

export type LimitsSource = "override" | "tier" | "default-tier";

export interface Limits {
  readonly levels: readonly Level[];
  readonly from: LimitsSource;
  /** The tier that they are from. */
  readonly tier?: string;
}

/**
 * The limits that count for a customer: its override, else those of its tier, else those of the default tier. Undefined where
 * the policy knows none of them: then the limits for anonymous clients count the customer, by its id.
 */
export function limitsOf(
  { tiers, defaultTier }: Pick<Policy, "tiers" | "defaultTier">,
  stored: Partial<StoredLimits> | undefined,
): Limits | undefined {
  const override = stored?.override;
  if (override) return { levels: override, from: "override" };
  const tier = stored?.tier;
  const own = tier !== undefined && Object.hasOwn(tiers, tier) ? tiers[tier] : undefined;
  if (own && tier !== undefined) return { levels: own.levels, from: "tier", tier };
  if (defaultTier === undefined) return undefined;
  const usual = tiers[defaultTier];
  return usual && { levels: usual.levels, from: "default-tier", tier: defaultTier };
}

/** The signed-in customer of a request, as the policy sees it. Decided once a request. */
export interface Caller {
  readonly id: CustomerId;
  /** Undefined: it has none of its own, and limits for anonymous clients count it by its id. */
  readonly limits: Limits | undefined;
}

/** Whether the rule counts addresses of anonymous clients, and so the ids of customers without limits of their own. */
export function countsIds({ client, match }: Pick<Rule, "client" | "match">): boolean {
  return match.who === "anonymous" && counts(client, "ip");
}

const header = text(
  /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/,
  "write a header's name: letters, digits and dashes, at most 64",
).transform((name) => name.toLowerCase());
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
  'or { header: "name" }, { cookie: "name" }, { code: "name" }, { all: [ … ] }';

/** Counts and shows the value of a header or cookie as it is; otherwise only its digest. */
const show = z.boolean({ error: "write true or false" });
const named = {
  ...{ header: header.optional(), cookie: cookie.optional(), code: code.optional() },
  show: show.optional(),
};
const part = z.union([z.enum(plain), exactlyOne(z.strictObject(named, { error: says }))], { error: says });
const all = z
  .array(part, { error: "write a list of who is counted together" })
  .min(2, { error: "name at least two that are counted together" })
  .max(4, { error: "at most four are counted together" });

/** Who is counted: one thing, or several together. */
export const clientSchema = z.union(
  [z.enum(plain), exactlyOne(z.strictObject({ ...named, all: all.optional() }, { error: says }))],
  { error: says },
);

export type Client = z.output<typeof clientSchema>;

/** Does the client take this into account? */
export function counts(client: Client, what: (typeof plain)[number]): boolean {
  if (typeof client === "string") return client === what;
  return client.all?.includes(what) === true;
}

function exactlyOne<T extends z.ZodType<object>>(schema: T) {
  return schema
    .refine((given) => namesIn(given).length === 1, {
      error: "name exactly one of header, cookie, code, all",
    })
    .refine(
      (given) => !("show" in given) || namesIn(given).every((name) => ["header", "cookie"].includes(name)),
      {
        error: "show is for the value of a header or cookie: leave it out",
        path: ["show"],
      },
    );
}

function namesIn(given: object): string[] {
  return Object.entries(given).flatMap(([name, value]) =>
    name === "show" || value === undefined ? [] : [name],
  );
}
