import { z } from "zod";
import {
  customerReply,
  customersReply,
  resetReply,
  savedCustomerReply,
  usageReply,
} from "../../api/replies.ts";
import { isRate } from "../../enforce/algorithms/algorithms.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { levelOf, sayLevels } from "../../enforce/policy/words.ts";
import { basisOf, readBasis, writeBasis } from "../../manage/customers/basis.ts";
import { clearOverride } from "../../manage/customers/clear-override.ts";
import { type Customer, readCustomer, slotsOf } from "../../manage/customers/read.ts";
import { resetCounters } from "../../manage/customers/reset.ts";
import { resumeCustomer } from "../../manage/customers/resume.ts";
import { setOverride } from "../../manage/customers/set-override.ts";
import { setTier } from "../../manage/customers/set-tier.ts";
import { suspendCustomer } from "../../manage/customers/suspend.ts";
import { listCustomers } from "../../observe/customers/search.ts";
import { readUsage, type Usage } from "../../observe/customers/usage.ts";
import type { Connection } from "../../redis/connect.ts";
import type { CustomerId } from "../../redis/keys.ts";
import { takeSnapshot } from "../../redis/snapshot.ts";
import { theStatistics } from "../statistics.ts";
import { cursor, customerId, expiresIn, none, reason, until } from "./fields.ts";
import { type ApiContext, operation } from "./operation.ts";

const tag = "Customers";
const params = z.strictObject({ id: customerId });
const one = { params, query: none } as const;
const versioned = {
  ifMatch: "optional",
  refusals: { 412: "The customer was changed since the version that If-Match names." },
} as const;

export const customerOperations = [
  operation({
    ...{ method: "GET", path: "/customers", id: "listCustomers", tag, action: "api.read", needs: "read" },
    summary: "Customers that have a tier or an override, or are suspended",
    about: "In no order. A page may be empty and not the last one.",
    params: none,
    query: z.strictObject({
      search: z.string().max(64).default("").describe("The first characters of the ID."),
      cursor: cursor.refine(
        (given) => given === undefined || /^\d{1,20}$/.test(given),
        "write `next` of the page before",
      ),
    }),
    reply: customersReply,
    async run({ redis }, { query: { search, cursor } }) {
      const page = await listCustomers(redis, { beginning: search, cursor: cursor ?? "0" });
      return { body: { customers: page.customers.map(customerBody), next: page.cursor } };
    },
  }),
  operation({
    ...{ method: "GET", path: "/customers/{id}", id: "getCustomer", tag, action: "api.read", needs: "read" },
    summary: "A customer: its tier, its override, its suspension, and the limits in force",
    about:
      "ETag is its version, which If-Match of a change may name. A customer without any key in Redis exists, too.",
    ...{ ...one, reply: customerReply },
    async run({ redis }, { params: { id } }) {
      // The version first: what changes in between then makes the next change stale.
      const version = await versionOf(redis, id);
      return { body: customerBody(await readCustomer(redis, id)), version };
    },
  }),
  operation({
    ...{ method: "GET", path: "/customers/{id}/usage", id: "getCustomerUsage", tag },
    ...{ action: "api.read", needs: "read", ...one, reply: usageReply },
    summary: "What a customer has used, by every rule that counts it",
    about: "Charges nothing.",
    async run({ redis }, { params: { id } }) {
      const [usage, { policy }] = await Promise.all([
        readUsage(redis, theStatistics().scales, id),
        readPolicy(redis),
      ]);
      return { body: { id, mode: policy.mode, levels: usage.map(levelBody) } };
    },
  }),
  operation({
    ...{ method: "PUT", path: "/customers/{id}/tier", id: "putCustomerTier", tag, isWrite: true },
    ...{ action: "customer.tier", needs: "customers", ...one, ...versioned, reply: savedCustomerReply },
    summary: "Set a customer's tier",
    body: z.strictObject({
      tier: z
        .string()
        .max(40)
        .nullable()
        .describe("A tier of the policy. Null removes the customer from its tier."),
      until: until
        .optional()
        .describe(
          "When the customer goes back to the tier that it has without any that ends. Left out, the tier does not end.",
        ),
      reason,
    }),
    async run(ctx, { params: { id }, body: { tier, until, reason } }) {
      const input = { id, tier, untilMs: until, reason, ...basedOn(ctx) };
      const { change, outcome, basis } = await setTier(ctx, input);
      return saved(ctx, id, { change, outcome, version: writeBasis(basis) });
    },
  }),
  operation({
    ...{ method: "PUT", path: "/customers/{id}/limits", id: "putCustomerLimits", tag, isWrite: true },
    ...{ action: "customer.override", needs: "customers", ...one, ...versioned, reply: savedCustomerReply },
    summary: "Give a customer limits of its own",
    about:
      "All levels at once: they replace the customer's earlier override, and those of its tier until they expire.",
    body: z.strictObject({
      levels: z.array(z.strictObject({ limit: z.number(), periodSeconds: z.number() })).max(64),
      expiresIn: expiresIn.default(null).describe("90s, 30m, 24h, 7d, 1w or never. Never if left out."),
      reason,
    }),
    async run(ctx, { params: { id }, body: { levels, expiresIn, reason } }) {
      const input = { id, levels, expiresInMs: expiresIn, reason, ...basedOn(ctx) };
      const { change, basis } = await setOverride(ctx, input);
      return saved(ctx, id, { change, outcome: "set", version: writeBasis(basis) });
    },
  }),
  operation({
    ...{ method: "DELETE", path: "/customers/{id}/limits", id: "deleteCustomerLimits", tag, isWrite: true },
    ...{ action: "customer.override.clear", needs: "customers", ...versioned, reply: savedCustomerReply },
    params,
    query: z.strictObject({ reason }),
    summary: "Remove a customer's own limits",
    about: "The limits of its tier are in force again.",
    refusals: { ...versioned.refusals, 404: "The customer has no limits of its own." },
    async run(ctx, { params: { id }, query: { reason } }) {
      const { change, basis } = await clearOverride(ctx, { id, reason, ...basedOn(ctx) });
      return saved(ctx, id, { change, outcome: "removed", version: writeBasis(basis) });
    },
  }),
  operation({
    ...{ method: "PUT", path: "/customers/{id}/suspension", id: "putCustomerSuspension", tag },
    ...{ action: "customer.suspend", needs: "customers", isWrite: true, ...one, reply: savedCustomerReply },
    summary: "Suspend a customer: all of its requests get 403",
    about: "Given again, it replaces the reason and the end. Requests from a safelisted address still pass.",
    body: z.strictObject({
      expiresIn: expiresIn.default(null).describe("90s, 30m, 24h, 7d, 1w or never. Never if left out."),
      reason,
    }),
    async run(ctx, { params: { id }, body: { expiresIn, reason } }) {
      const { change } = await suspendCustomer(ctx, { id, expiresInMs: expiresIn, reason });
      return saved(ctx, id, { change, outcome: "set" });
    },
  }),
  operation({
    ...{ method: "DELETE", path: "/customers/{id}/suspension", id: "deleteCustomerSuspension", tag },
    ...{ action: "customer.resume", needs: "customers", isWrite: true, params, reply: savedCustomerReply },
    query: z.strictObject({ reason }),
    summary: "End a customer's suspension",
    about: "Its tier and limits are as they were.",
    refusals: { 404: "The customer is not suspended." },
    async run(ctx, { params: { id }, query: { reason } }) {
      const { change } = await resumeCustomer(ctx, { id, reason });
      return saved(ctx, id, { change, outcome: "removed" });
    },
  }),
  operation({
    ...{ method: "POST", path: "/customers/{id}/reset", id: "resetCustomer", tag, isWrite: true },
    ...{ action: "customer.reset", needs: "customers", ...one, reply: resetReply },
    summary: "Delete a customer's counters",
    about: "Its tier and limits stay.",
    body: z.strictObject({ reason }),
    async run(ctx, { params: { id }, body: { reason } }) {
      const { change, deleted } = await resetCounters(ctx, ctx.console.counters, { id, reason });
      return { body: { id, deleted, change, dryRun: ctx.isDryRun } };
    },
  }),
];

function basedOn({ ifMatch }: ApiContext) {
  return ifMatch === undefined ? {} : { basedOn: readBasis(ifMatch) };
}

async function versionOf(redis: Connection, id: CustomerId): Promise<string> {
  const { slots, lastId } = await takeSnapshot(redis, { slots: slotsOf(id) });
  return writeBasis(basisOf(slots, lastId));
}

interface Saved {
  readonly change: number | null;
  readonly outcome: "set" | "removed" | "kept";
  /** Undefined where the change concerns no version. */
  readonly version?: string;
}

async function saved(ctx: ApiContext, id: CustomerId, { change, outcome, version }: Saved) {
  const customer = await readCustomer(ctx.redis, id);
  const body = { ...customerBody(customer), outcome, change, dryRun: ctx.isDryRun };
  return { body, ...(!ctx.isDryRun && version !== undefined && { version }) };
}

const iso = (ms: number | null) => (ms === null ? null : new Date(Math.min(ms, 8.64e15)).toISOString());

function customerBody({ id, tier, override, suspension, levels, from, shared, session, flags }: Customer) {
  return {
    id,
    tier: tier ? { ...tier, expiresAt: iso(tier.expiresAt) } : null,
    override: override
      ? { ...noteBody(override), levels: override.levels.map((level) => ({ ...level })) }
      : null,
    suspension: suspension ? noteBody(suspension) : null,
    levels: levels ? levels.map((level) => ({ ...level })) : null,
    from: from ?? null,
    shared: shared ?? null,
    session: session
      ? {
          tier: session.tier ?? null,
          levels: session.levels ? session.levels.map((level) => ({ ...level })) : null,
          at: new Date(session.at).toISOString(),
        }
      : null,
    flags: [...flags],
  };
}

function noteBody({ expiresAt, note: { reason, by, at } }: NonNullable<Customer["suspension"]>) {
  return {
    ...{ expiresAt: iso(expiresAt), reason },
    ...(by !== undefined && { by }),
    ...(at !== undefined && { at }),
  };
}

function levelBody(usage: Usage) {
  const { rule, algorithm, limit, periodSeconds, overageWeight, used, resetMs, isOver, isShadowed } = usage;
  const left = Math.max(0, limit - used);
  const says = isRate(algorithm)
    ? sayLevels([{ limitPerSecond: limit, halfLifeSeconds: periodSeconds, overageWeight }])
    : sayLevels([levelOf(usage)]);
  return {
    ...{ rule, algorithm, says, limit, periodSeconds, used, isOver, isShadowed },
    remaining: isRate(algorithm) ? left : Math.floor(left),
    resetSeconds: Math.ceil(resetMs / 1_000),
  };
}
