"use server";

import { z } from "zod";
import { longestOfStaffMs } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import { parseAddress } from "../../ip/parse.ts";
import {
  addMany,
  tagMany as changeTags,
  extendMany as extend,
  importMany,
  removeMany as remove,
  setExpiryOfMany,
} from "../../manage/lists/bulk.ts";
import { importPermission } from "../../manage/lists/import-lines.ts";
import { lifeOf, permissionFor } from "../../manage/lists/life.ts";
import { protectRange, unprotectRange } from "../../manage/lists/never-block.ts";
import { recordDismissal, restoreLost } from "../../manage/lists/restore.ts";
import { may } from "../../manage/users/roles.ts";
import { facets } from "../../queries/entries.ts";
import { action } from "../action.ts";
import { theCatalogue } from "../catalogue.ts";
import { address, linesInput, list } from "../lists/lines-preview.ts";
import { withSelected } from "../lists/selection.ts";
import { tag, tags as tagList } from "../lists/tag-field.ts";

const { ttlMs, reason, confirmed, tags } = linesInput;
const mostAddresses = 20_000;

/** As Redis has them, also those that are no addresses. */
const spelling = z.string().max(1_000);
const after = spelling.optional();

/** Of a request that takes several calls: what it is known by. The record is found, and whose it is checked, by the server. */
const part = z
  .object({ of: z.string().max(64), wanted: z.number().int().min(1).max(10_000_000), isLast: z.boolean() })
  .optional();

/** Either what was ticked, or everything that a search finds. */
const selected = {
  list,
  addresses: z.array(spelling).min(1).max(mostAddresses).optional(),
  selection: z
    .object({
      q: z.string().max(500).optional(),
      facet: z.enum(facets).optional(),
      tag: tag.optional(),
    })
    .optional(),
  reason,
  /** How many there are, typed again: needed above 10,000. */
  confirmedCount: z.number().int().optional(),
  after,
};

const oneOfBoth = (given: { addresses?: unknown; selection?: unknown }) =>
  (given.addresses === undefined) !== (given.selection === undefined);
const eitherOr = { message: "give either addresses or a selection" };

const forTime = (ms: number | null) => permissionFor(lifeOf(ms), Date.now());

export const addLines = action({
  name: "lists.add",
  needs: { least: "lists", of: ({ ttlMs }) => forTime(ttlMs) },
  input: z.object({
    list,
    addresses: z.array(address).min(1).max(mostAddresses),
    ttlMs,
    reason,
    confirmed,
    tags,
    after,
    part,
  }),
  run: (ctx, input) => addMany(ctx, input),
});

/** Writes of a text the lines that were confirmed: `expected`, as the preview said. */
export const importText = action({
  name: "lists.import",
  needs: {
    least: "lists",
    of: ({ ttlMs, text, expected }) => importPermission(text, new Set(expected), lifeOf(ttlMs), Date.now()),
  },
  input: z.object({ ...linesInput, expected: z.array(spelling).min(1), after, part }),
  run: (ctx, input) => importMany(ctx, input),
});

/** Adds `forMs` to what is left of each; null makes them stay. */
export const extendMany = action({
  name: "lists.extend",
  needs: { least: "lists", of: ({ forMs }) => forTime(forMs) },
  input: z.object({ ...selected, forMs: ttlMs }).refine(oneOfBoth, eitherOr),
  run(ctx, { forMs, list, reason, ...given }) {
    const longestMs = may(ctx.who.role, "lists-forever") ? undefined : longestOfStaffMs;
    return withSelected({ list, ...given }, ctx.who, (part) =>
      extend(ctx, { list, reason, life: lifeOf(forMs), longestMs, ...part }),
    );
  },
});

/** Sets when entries expire, counted from now; null makes them stay. */
export const setExpiry = action({
  name: "lists.set-expiry",
  needs: { least: "lists", of: ({ ttlMs }) => forTime(ttlMs) },
  input: z.object({ list, addresses: z.array(address).min(1).max(mostAddresses), ttlMs, reason, after }),
  run: (ctx, { ttlMs, ...input }) => setExpiryOfMany(ctx, { ...input, life: lifeOf(ttlMs) }),
});

/** Adds and removes tags of each. */
export const tagMany = action({
  name: "lists.tag",
  needs: "lists",
  input: z
    .object({
      ...selected,
      tags: z.object({ add: tagList, remove: tagList.optional() }),
    })
    .refine(oneOfBoth, eitherOr),
  run: (ctx, { list, reason, tags, ...given }) =>
    withSelected({ list, ...given }, ctx.who, (part) => changeTags(ctx, { list, reason, tags, ...part })),
});

/** Staff may remove what only an admin may add: a mistaken block is lifted at once, and an admin can undo the removal. */
export const removeMany = action({
  name: "lists.remove",
  needs: "lists",
  input: z.object(selected).refine(oneOfBoth, eitherOr),
  run: (ctx, { list, reason, ...given }) =>
    withSelected({ list, ...given }, ctx.who, (part) => remove(ctx, { list, reason, ...part })),
});

const restoreInput = z.object({ reason: z.string().max(10_000).default("") });

/** Writes back what Redis lost, for some seconds: while `left` is not 0, there is more to do and it is called again. */
export const restoreLists = action({
  name: "lists.restore",
  needs: "restore",
  input: restoreInput,
  async run(ctx, { reason }) {
    const loss = requireLoss();
    const restored = await restoreLost(ctx, { loss, reason });
    if (restored.left === 0) theCatalogue().forgetLoss(loss);
    return restored;
  },
});

export const dismissLoss = action({
  name: "lists.dismiss-loss",
  needs: "restore",
  input: restoreInput,
  async run(ctx, { reason }) {
    const loss = requireLoss();
    await recordDismissal(ctx, { loss, reason });
    theCatalogue().forgetLoss(loss);
    return {};
  },
});

function requireLoss() {
  const { loss } = theCatalogue();
  if (loss) return loss;
  throw new DomainError("not-found", "Nothing to restore. The lists match this console's copy.");
}

const rangeInput = z.object({
  range: z.string().max(100),
  reason: z.string().trim().min(1, "Enter a reason").max(500),
});

/** Makes a range one that no blocklist entry may touch. */
export const protect = action({
  name: "never-block.add",
  needs: "never-block",
  input: rangeInput,
  run: (ctx, { range, reason }) => protectRange(ctx, { range: readRange(range), reason }),
});

/** Lets a range be blocked again. */
export const unprotect = action({
  name: "never-block.remove",
  needs: "never-block",
  input: rangeInput,
  run: (ctx, { range, reason }) => unprotectRange(ctx, { range: readRange(range), reason }),
});

function readRange(text: string) {
  const range = parseAddress(text);
  if (range.ok) return range.value;
  throw new DomainError("bad-input", `${range.reason}.`, { range: range.reason });
}
