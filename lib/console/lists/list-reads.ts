import { z } from "zod";
import { readNeverBlock } from "../../enforce/lists/protected.ts";
import { DomainError } from "../../errors.ts";
import { parseAddress } from "../../ip/parse.ts";
import type { EntryQuery } from "../../observe/catalogue/view.ts";
import { entryHistory } from "../../observe/lists/entry-history.ts";
import { exportHeader, exportLine } from "../../observe/lists/export.ts";
import { neverBlockEffect } from "../../observe/lists/never-block-effect.ts";
import { type EntriesPage, type EntryHistory, facets, type LossReply, sorts } from "../../queries/entries.ts";
import { type ListName, listNames } from "../../redis/keys.ts";
import { theHistory } from "../audit/audit-watch.ts";
import { loadedCatalogue, theCatalogue } from "../catalogue.ts";
import { download } from "../export-stream.ts";
import { read } from "../read.ts";
import { entryHits, withHits } from "./entry-hits.ts";
import { tag } from "./tag-field.ts";

type ListParams = { list: string };

function listIn({ list }: ListParams): ListName {
  const found = listNames.find((name) => name === list);
  if (found) return found;
  throw new DomainError("not-found", "There are two lists: the blocklist and the safelist.");
}

const entriesSearch = z.object({
  q: z.string().max(500).optional(),
  facet: z.enum(facets).optional(),
  tag: tag.optional(),
  sort: z.enum(sorts).optional(),
  dir: z.enum(["asc", "desc"]).optional(),
  offset: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(200).optional(),
});

export const getEntries = read<typeof entriesSearch, ListParams>(
  "read",
  entriesSearch,
  async ({ params, search, who }): Promise<EntriesPage> => {
    const list = listIn(params);
    const hits = await entryHits(list);
    const catalogue = await loadedCatalogue();
    const page = await catalogue.page(list, { ...search, by: who.email, busiest: hits?.busiest });
    return withHits(page, hits);
  },
);

const expiringSearch = z.object({
  withinMs: z.coerce.number().min(0),
  limit: z.coerce.number().int().min(1).max(200).default(100),
});

/** What ends soon, the next first, each with how often it was listed before. */
export const getExpiring = read<typeof expiringSearch, ListParams>(
  "read",
  expiringSearch,
  async ({ params, search, who }): Promise<EntriesPage> => {
    const list = listIn(params);
    const history = theHistory();
    await history.catchUp();
    const catalogue = await loadedCatalogue();
    const page = await catalogue.page(list, {
      ...{ facet: "expiring", sort: "expires", dir: "asc", by: who.email },
      ...search,
    });
    const entries = page.entries.map((entry) => ({
      ...entry,
      listedBefore: history.listedBefore(list, entry),
    }));
    return withHits({ ...page, entries }, await entryHits(list));
  },
);

const historySearch = z.object({ address: z.string().max(1_000) });

export const getEntryHistory = read<typeof historySearch, ListParams>(
  "read",
  historySearch,
  async ({ console, params, search: { address } }): Promise<EntryHistory> => {
    const list = listIn(params);
    const history = theHistory();
    const hits = await entryHits(list);
    const records = await entryHistory(console.redis, history, { list, address });
    const entry = (await loadedCatalogue()).entry(list, address);
    return {
      listedBefore: history.listedBefore(list, entry ?? { address }),
      isWhole: history.isWhole,
      records,
      ...(hits && { hits: { ...hits.of(address), since: hits.known.since } }),
    };
  },
);

export const getNeverBlock = read("read", z.object({}), async ({ console: { redis, protectedRanges } }) => {
  const stored = await readNeverBlock(redis);
  return {
    fixed: protectedRanges,
    stored: stored.map(({ range, note: { reason, by, at } }) => ({ range, reason, by, at })),
  };
});

const rangeSearch = z.object({ range: z.string().max(100) });

/** Entries that would begin or cease to apply if the range changed. */
export const getNeverBlockEffect = read(
  "never-block",
  rangeSearch,
  async ({ console: { redis, protectedRanges }, search: asked }) => {
    const range = parseAddress(asked.range);
    if (!range.ok) throw new DomainError("bad-input", `${range.reason}.`, { range: range.reason });
    const { entries, count } = await neverBlockEffect(redis, range.value, protectedRanges);
    return { count, entries: entries.map(({ address, note: { reason, by } }) => ({ address, reason, by })) };
  },
);

export const getLoss = read("read", z.object({}), async (): Promise<LossReply> => {
  const missing = await theCatalogue().missing();
  if (!missing) return { loss: null };
  return { loss: { at: new Date(missing.at).toISOString(), ...missing.counts } };
});

const search = z.object({
  q: z.string().max(500).optional(),
  facet: z.enum(facets).optional(),
  tag: tag.optional(),
});
/** So many entries go out at once: what a page of work may take. */
const pieceSize = 2_000;

export const getListExport = read<typeof search, ListParams>("read", search, ({ params, search, who }) => {
  const list = listIn(params);
  const pieces = piecesOf(list, { ...search, by: who.email });
  return download(who.email, pieces, { name: list, format: "csv" });
});

/** In the order of addresses, as the list is when each piece goes out. */
async function* piecesOf(list: ListName, wanted: EntryQuery): AsyncGenerator<string> {
  let head = exportHeader;
  for (let after: string | undefined; ; ) {
    const catalogue = await loadedCatalogue();
    const entries = await catalogue.after(list, wanted, { after, most: pieceSize });
    yield head + entries.map((entry) => exportLine(entry.address, entry.expiresAt, entry)).join("");
    head = "";
    after = entries.at(-1)?.address;
    if (entries.length < pieceSize) return;
  }
}
