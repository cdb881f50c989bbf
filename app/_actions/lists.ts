"use server";

import { z } from "zod";
import { may } from "../../lib/auth/roles.ts";
import { type Cidr, type Ip, parseAddress } from "../../lib/ip/parse.ts";
import { addMany, extendMany as extend, importMany, removeMany as remove } from "../../lib/lists/bulk.ts";
import { wantsForever } from "../../lib/lists/import-lines.ts";
import { lifeOf } from "../../lib/lists/life.ts";
import { previewLines as preview } from "../../lib/lists/preview.ts";
import { facets } from "../../lib/queries/entries.ts";
import { action } from "../_server/action.ts";
import { loadedCatalogue } from "../_server/catalogue.ts";
import { withSelected } from "../_server/selection.ts";

const list = z.enum(["safelist", "blocklist"]);
const ttlMs = z.number().int().nullable();
const reason = z.string().max(10_000);
/** Server actions take a megabyte in all. */
const text = z.string().max(1_000_000);
const mostAddresses = 20_000;

const address = z.string().transform((given, context): Ip | Cidr => {
  const parsed = parseAddress(given);
  if (parsed.ok) return parsed.value;
  context.addIssue({ code: "custom", message: parsed.reason });
  return z.NEVER;
});
const confirmed = z.array(address).max(1_000);

/** As they stand in Redis, also those that are no addresses. */
const spelling = z.string().max(1_000);
const after = spelling.optional();

/** Either what was ticked, or everything that a search finds. */
const selected = {
  list,
  addresses: z.array(spelling).min(1).max(mostAddresses).optional(),
  selection: z.object({ q: z.string().max(500).optional(), facet: z.enum(facets).optional() }).optional(),
  reason,
  /** How many there are, typed again: needed above 10,000. */
  confirmedCount: z.number().int().optional(),
  after,
};

const oneOfBoth = (given: { addresses?: unknown; selection?: unknown }) =>
  (given.addresses === undefined) !== (given.selection === undefined);
const eitherOr = { message: "give either addresses or a selection" };

const forTime = (ms: number | null) => (ms === null ? "lists-forever" : "lists");

/** What adding these lines would do. Nothing is written; it is an action because it carries a text. */
export const previewLines = action({
  name: "lists.preview",
  needs: "read",
  isActivity: false,
  input: z.object({ list, text, ttlMs, reason, confirmed, firstLine: z.number().int().min(1).default(1) }),
  run: (ctx, input) =>
    preview(ctx, { ...input, mayForever: may(ctx.who.role, "lists-forever") }, async () =>
      (await loadedCatalogue()).around(),
    ),
});

export const addLines = action({
  name: "lists.add",
  needs: ({ ttlMs }) => forTime(ttlMs),
  input: z.object({
    list,
    addresses: z.array(address).min(1).max(mostAddresses),
    ttlMs,
    reason,
    confirmed,
    after,
  }),
  run: (ctx, input) => addMany(ctx, input),
});

/** Writes of a text the lines that were confirmed: `expected`, as the preview said. */
export const importText = action({
  name: "lists.import",
  needs: ({ ttlMs, text, expected }) =>
    ttlMs === null || wantsForever(text, new Set(expected)) ? "lists-forever" : "lists",
  input: z.object({ list, text, ttlMs, reason, confirmed, expected: z.array(spelling).min(1), after }),
  run: (ctx, input) => importMany(ctx, input),
});

/** Adds `forMs` to what is left of each; null makes them stay. */
export const extendMany = action({
  name: "lists.extend",
  needs: ({ forMs }) => forTime(forMs),
  input: z.object({ ...selected, forMs: ttlMs }).refine(oneOfBoth, eitherOr),
  run: (ctx, { forMs, list, reason, ...given }) =>
    withSelected({ list, ...given }, ctx.who, (part) =>
      extend(ctx, { list, reason, life: lifeOf(forMs), ...part }),
    ),
});

export const removeMany = action({
  name: "lists.remove",
  needs: "lists",
  input: z.object(selected).refine(oneOfBoth, eitherOr),
  run: (ctx, { list, reason, ...given }) =>
    withSelected({ list, ...given }, ctx.who, (part) => remove(ctx, { list, reason, ...part })),
});
