import { z } from "zod";
import { parseCustomerId } from "../../enforce/customers/id.ts";
import { createScales } from "../../enforce/limits/scales.ts";
import { sharedLimits } from "../../enforce/policy/client.ts";
import { type Level, requireLevels } from "../../enforce/policy/levels.ts";
import { calendarIn } from "../../enforce/policy/words.ts";
import { DomainError } from "../../errors.ts";
import { readBasis, writeBasis } from "../../manage/customers/basis.ts";
import { changesOf } from "../../manage/customers/customer-changes.ts";
import {
  type CustomerDraft,
  type CustomerView,
  previewLevels,
  viewCustomer,
} from "../../observe/customers/customer-view.ts";
import { type CountedUsage, type CountReader, readUsageLeft } from "../../observe/customers/usage.ts";
import type { CustomerNow, LevelsPreview, LevelUsage } from "../../queries/customer.ts";
import type { CustomerId } from "../../redis/keys.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import type { Console } from "../console.ts";
import { decodedPart, read } from "../read.ts";
import { directoryOf, findPage } from "./customer-directory.ts";

/** What is asked of those who would save something. */
export const asked = z.object({
  /** "" for none. */
  tier: z.string().max(40),
  /** `60:100,3600:1000`, or "tier" for those of the tier. */
  levels: z.string().max(400),
});

export function wishIn({ tier, levels }: z.output<typeof asked>): Required<CustomerDraft> {
  return { tier: tier === "" ? null : tier, levels: levelsIn(levels) };
}

function levelsIn(text: string): readonly Level[] | null {
  if (text === "tier") return null;
  const pairs = text.split(",").map((pair) => pair.split(":").map(Number));
  return requireLevels(pairs.map(([periodSeconds, limit]) => ({ limit, periodSeconds })));
}

/** A customer as the browser reads it. */
function toNow(view: CustomerView): CustomerNow {
  const { now, basis, mode, tiers, defaultTier, customer, usage, olderNodes, shared } = view;
  const winner = sharedLimits({ tiers }, shared)?.name;
  const { id, tier, override, suspension, session, levels, from, flags } = customer;
  return {
    ...{ id, now, mode, flags: [...flags] },
    basedOn: writeBasis(basis),
    tiers: Object.entries(tiers).map(([name, { levels }]) => ({ name, levels })),
    defaultTier: defaultTier ?? null,
    tier: tier ?? null,
    override: override ? { ...override, levels: [...override.levels] } : null,
    suspension: suspension ?? null,
    nodesWithoutSuspensions: [...olderNodes],
    session: session
      ? { tier: session.tier ?? null, levels: session.levels ? [...session.levels] : null, at: session.at }
      : null,
    from: from ?? null,
    shared: shared.map(({ from, name, levels, tier }) => ({
      ...{ from, name, levels: levels ? [...levels] : null, tier: tier ?? null },
      wins: name === winner,
    })),
    levels: levels ? [...levels] : null,
    usage: toUsage(usage),
  };
}

function toUsage(usage: readonly CountedUsage[] | undefined): LevelUsage[] | null {
  return (
    usage?.map((one) => {
      const { rule, algorithm, limit, periodSeconds, used, resetMs, isOver, isShadowed, isOwn } = one;
      return {
        ...{ rule, algorithm, limit, periodSeconds, used, resetMs, isOver, isShadowed, isOwn },
        ...calendarIn(one),
      };
    }) ?? null
  );
}

/** People rather wait than see no number, but not for long. */
const withinMs = 1_000;

/** Tells what is counted, and charges nothing: one of it in a process. */
function countsOf({ counters }: Console): CountReader {
  return oncePerProcess("console counts", () => createScales(counters, { withinMs }));
}

/** The customer that a path names. */
export function customerIn({ id }: { readonly id: string }): CustomerId {
  const parsed = parseCustomerId(decodedPart(id));
  if (parsed.ok) return parsed.value;
  throw new DomainError("not-found", `${parsed.reason}.`);
}

/** The customer of a page's path. Undefined for what is no customer id, or is one in another spelling. */
export function customerOfPath(part: string): CustomerId | undefined {
  const text = decodedPart(part);
  const parsed = parseCustomerId(text);
  return parsed.ok && parsed.value === text ? parsed.value : undefined;
}

const directorySearch = z.object({
  search: z.string().trim().max(200).default(""),
  group: z
    .union([
      z.enum(["all", "no-tier", "own-levels", "suspended", "not-obeyed"]),
      z.templateLiteral(["tier:", z.string()]),
    ])
    .default("all"),
  offset: z.coerce.number().int().min(0).max(1e9).default(0),
});

export const getCustomers = read("read", directorySearch, async ({ console, search }) => {
  const { directory, mirror } = await directoryOf(console);
  const source = { redis: console.redis, counts: countsOf(console), directory, ageMs: mirror.ageMs };
  return findPage(source, search);
});

export const getCustomer = read<z.ZodObject, { id: string }>(
  "read",
  z.object({}),
  async ({ console, params }) =>
    toNow(await viewCustomer(console.redis, countsOf(console), customerIn(params))),
);

/** For a page of the app's own: what `guard.usage` says, over the whole fleet. */
export const getUsage = read("read", z.object({ customer: z.string() }), async ({ console, search }) =>
  readUsageLeft(console.redis, countsOf(console), customerIn({ id: search.customer })),
);

/** Without a basis only the last one is wanted. */
const changesSearch = z.object({ basedOn: z.string().max(40).optional() });
const mostChanges = 10;

export const getCustomerChanges = read<typeof changesSearch, { id: string }>(
  "read",
  changesSearch,
  async ({ console, params, search }) => {
    const range =
      search.basedOn === undefined ? {} : { after: readBasis(search.basedOn).record, most: mostChanges };
    return { changes: await changesOf(console.redis, customerIn(params), range) };
  },
);

export const getLevelsPreview = read<typeof asked, { id: string }>(
  "read",
  asked,
  async ({ console, params, search }) => {
    const { redis } = console;
    const wish = wishIn(search);
    const { mode, before, after } = await previewLevels(redis, countsOf(console), customerIn(params), wish);
    return { mode, before: toUsage(before), after: toUsage(after) } satisfies LevelsPreview;
  },
);
