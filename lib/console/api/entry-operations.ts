import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import {
  addedEntriesReply,
  entriesReply,
  entryReply,
  removedEntriesReply,
  taggedEntriesReply,
} from "../../api/replies.ts";
import { oneWeekMs } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import { addEntries } from "../../manage/lists/add.ts";
import type { AddOutcome, RefusedEntry } from "../../manage/lists/admission.ts";
import { type ChangeResult, mostAtOnce } from "../../manage/lists/change-entries.ts";
import { lifeOf, permissionFor } from "../../manage/lists/life.ts";
import { type RemoveOutcome, removeEntries } from "../../manage/lists/remove.ts";
import { type TagOutcome, tagEntries } from "../../manage/lists/tag.ts";
import type { CatalogueEntry } from "../../observe/catalogue/listing.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys, type ListName } from "../../redis/keys.ts";
import { loadedCatalogue } from "../catalogue.ts";
import { entryHits } from "../lists/entry-hits.ts";
import { tag as oneTag, tags } from "../lists/tag-field.ts";
import { address, cursor, expiresIn, none, pageSize, reason } from "./fields.ts";
import { type ApiContext, operation } from "./operation.ts";

const addresses = z
  .array(address)
  .min(1, "give at least one address")
  .max(mostAtOnce, `give at most ${mostAtOnce} addresses`)
  .describe(`Addresses and ranges, at most ${mostAtOnce}.`);
const life = expiresIn.optional().describe("90s, 30m, 24h, 7d, 1w or never. One week if left out.");
const partial = z
  .boolean()
  .default(false)
  .describe("Write the addresses that are not refused. Otherwise, one refused address refuses all.");
const lockout = { 409: "Lockout protection refuses the address, or a wide range is not confirmed." };

/** Until a copy has what was just written: 50 ms at a time, for a second. */
const [waitMs, mostWaits] = [50, 20];

const forLife = (ms: number | null | undefined) =>
  permissionFor(lifeOf(ms === undefined ? oneWeekMs : ms), Date.now());

/** Operations of one list. */
export function entryOperations(list: ListName) {
  const [of, tag] =
    list === "blocklist" ? (["Blocklist", "Blocklist"] as const) : (["Safelist", "Safelist"] as const);
  const one = { params: z.strictObject({ address }), query: none };
  const base = { tag };
  const adding = { least: "lists", also: ["lists-forever"] } as const;
  return [
    operation({
      ...{ method: "GET", path: `/${list}`, id: `search${of}`, ...base, action: "api.read", needs: "read" },
      summary: `Entries of the ${list}`,
      about:
        "In the order of addresses. With `search`, the entries that cover an address or lie inside a range.",
      params: none,
      query: z.strictObject({
        search: z
          .string()
          .max(500)
          .optional()
          .describe("An address or range, or a part of the reason, the author or a tag."),
        tag: oneTag.optional().describe("Only entries with this tag."),
        limit: pageSize(1_000),
        cursor,
      }),
      reply: entriesReply,
      async run(_, { query: { search, tag, limit, cursor } }) {
        const catalogue = await loadedCatalogue();
        const hits = await entryHits(list);
        const found = await catalogue.after(list, { q: search, tag }, { after: cursor, most: limit + 1 });
        const entries = found.slice(0, limit).map((entry) => {
          const { hour = null, day = null } = hits?.of(entry.address) ?? {};
          return { ...entryBody(entry), hits: { hour, day } };
        });
        const next = found.length > limit ? (entries.at(-1)?.address ?? null) : null;
        return { body: { list, entries, next } };
      },
    }),
    operation({
      ...{
        method: "POST",
        path: `/${list}`,
        id: `add${of}Entries`,
        ...base,
        action: "lists.add",
        isWrite: true,
      },
      needs: { ...adding, of: ({ body }) => forLife(body.expiresIn) },
      summary: `Put up to ${mostAtOnce} addresses on the ${list}`,
      about:
        "One change with one audit record. An entry that exists is extended, and shortened only with `force`.",
      ...{ params: none, query: none, reply: addedEntriesReply, refusals: lockout },
      body: z.strictObject({
        ...{ addresses, expiresIn: life, reason },
        tags: tags.default([]).describe("Tags to add. Entries that exist keep those that they have."),
        confirmed: z
          .array(address)
          .max(mostAtOnce)
          .default([])
          .describe("Ranges wider than /24 (IPv6 /48), once more."),
        force: z.boolean().default(false).describe("Shorten entries that expire later."),
        partial,
      }),
      async run(ctx, { body }) {
        const input = { list, ...body, ...ttlOf(body.expiresIn), tags: { add: body.tags } };
        const added = await allOrNothing(ctx, body.partial, (given) => addEntries(given, input));
        return { body: { list, ...writtenBody(ctx, added), outcomes: added.outcomes.map(outcomeBody) } };
      },
    }),
    operation({
      ...{ method: "POST", path: `/${list}/remove`, id: `remove${of}Entries`, ...base },
      ...{ action: "lists.remove", isWrite: true, needs: "lists" },
      summary: `Remove up to ${mostAtOnce} addresses from the ${list}`,
      about: "One change with one audit record. An address without an entry is `absent`.",
      ...{ params: none, query: none, reply: removedEntriesReply, refusals: lockout },
      body: z.strictObject({ addresses, reason, partial }),
      async run(ctx, { body: { addresses, reason, partial } }) {
        const removed = await allOrNothing(ctx, partial, (given) =>
          removeEntries(given, { list, addresses, reason }),
        );
        return { body: { list, ...writtenBody(ctx, removed), outcomes: removed.outcomes.map(removalBody) } };
      },
    }),
    operation({
      ...{ method: "POST", path: `/${list}/tag`, id: `tag${of}Entries`, ...base },
      ...{ action: "lists.tag", isWrite: true, needs: "lists" },
      summary: `Change the tags of up to ${mostAtOnce} entries of the ${list}`,
      about:
        "One change with one audit record. Reason, author and end of the entries stay. An address without an entry is `absent`.",
      ...{ params: none, query: none, reply: taggedEntriesReply },
      body: z.strictObject({
        addresses,
        add: tags.default([]).describe("Tags to add."),
        remove: tags.default([]).describe("Tags to remove."),
        ...{ reason, partial },
      }),
      async run(ctx, { body: { addresses, add, remove, reason, partial } }) {
        const input = { list, addresses, tags: { add, remove }, reason };
        const tagged = await allOrNothing(ctx, partial, (given) => tagEntries(given, input));
        return { body: { list, ...writtenBody(ctx, tagged), outcomes: tagged.outcomes.map(tagBody) } };
      },
    }),
    operation({
      ...{ method: "GET", path: `/${list}/{address}`, id: `get${of}Entry`, ...base },
      ...{ action: "api.read", needs: "read", ...one, reply: entryReply },
      summary: "One entry",
      about:
        "Only the entry of this address or range itself. To find what covers an address, use `search` or explain.",
      refusals: { 404: `The ${list} has no such entry.` },
      async run({ redis }, { params: { address } }) {
        return { body: { list, ...entryBody(await entryNow(redis, list, address)) } };
      },
    }),
    operation({
      ...{ method: "PUT", path: `/${list}/{address}`, id: `put${of}Entry`, ...base, action: "lists.add" },
      needs: { ...adding, of: ({ body }) => forLife(body.expiresIn) },
      isWrite: true,
      summary: `Put one address or range on the ${list}`,
      about:
        "Repeating the request gives the same result: the entry then has this end. 201 for a new entry. Slashes of ranges may be sent as they are.",
      ...{ ...one, reply: addedEntriesReply, refusals: lockout },
      body: z.strictObject({
        ...{ expiresIn: life, reason },
        tags: tags.optional().describe("All tags of the entry. If left out, it keeps those that it has."),
        confirmWide: z.boolean().default(false).describe("Confirms a range wider than /24 (IPv6 /48)."),
      }),
      async run(ctx, { params: { address }, body: { expiresIn, reason, confirmWide, tags } }) {
        const confirmed = confirmWide ? [address] : [];
        const terms = { reason, confirmed, force: true, ...ttlOf(expiresIn), tags: tags && { set: tags } };
        const input = { list, addresses: [address], ...terms };
        const added = await allOrNothing(ctx, false, (given) => addEntries(given, input));
        const isNew = added.outcomes.some(({ outcome }) => outcome === "added") && !ctx.isDryRun;
        const body = { list, ...writtenBody(ctx, added), outcomes: added.outcomes.map(outcomeBody) };
        return { body, status: isNew ? 201 : 200 };
      },
    }),
    operation({
      ...{ method: "DELETE", path: `/${list}/{address}`, id: `delete${of}Entry`, ...base },
      ...{ action: "lists.remove", needs: "lists", isWrite: true, reply: removedEntriesReply },
      params: one.params,
      query: z.strictObject({ reason }),
      summary: `Remove one address or range from the ${list}`,
      about: "The reply names entries that still cover it.",
      refusals: { ...lockout, 404: `The ${list} has no such entry.` },
      async run(ctx, { params: { address }, query: { reason } }) {
        const removed = await allOrNothing(ctx, false, (given) =>
          removeEntries(given, { list, addresses: [address], reason }),
        );
        if (removed.outcomes.every(({ outcome }) => outcome === "absent")) throw absent(list, address);
        return { body: { list, ...writtenBody(ctx, removed), outcomes: removed.outcomes.map(removalBody) } };
      },
    }),
  ];
}

/** Makes the change. If one address is refused, nothing is written, unless the caller accepts a part. */
async function allOrNothing<O extends AddOutcome | RemoveOutcome | TagOutcome>(
  ctx: ApiContext,
  isPartial: boolean,
  change: (ctx: ApiContext) => Promise<ChangeResult<O>>,
): Promise<ChangeResult<O>> {
  if (!isPartial) {
    const foreseen = await change({ ...ctx, isDryRun: true });
    requireNoneRefused(foreseen.outcomes);
    if (ctx.isDryRun) return foreseen;
  }
  return change(ctx);
}

function requireNoneRefused(outcomes: readonly (AddOutcome | RemoveOutcome | TagOutcome)[]): void {
  const refused = outcomes.filter((outcome): outcome is RefusedEntry => outcome.outcome === "refused");
  const [first] = refused;
  if (!first) return;
  const more = refused.length > 1 ? ` ${refused.length - 1} more are refused.` : "";
  const fields = Object.fromEntries(refused.map(({ address, message }) => [address, message]));
  throw new DomainError(first.code, `${first.message}${more} Nothing was written.`, fields);
}

/** The copy of the console may not have it yet: only Redis knows that there is none. */
async function entryNow(redis: Connection, list: ListName, address: Ip | Cidr): Promise<CatalogueEntry> {
  const catalogue = await loadedCatalogue();
  for (let waits = 0; waits < mostWaits; waits++) {
    const entry = catalogue.entry(list, address);
    if (entry) return entry;
    if ((await redis.exists(keys.entry(list, address))) === 0) throw absent(list, address);
    await pause(waitMs);
  }
  throw new DomainError(
    "redis-unavailable",
    `${address} is on the ${list}, and the console has not read the entry yet. Try again in a moment.`,
  );
}

function absent(list: ListName, address: Ip | Cidr): DomainError {
  return new DomainError("not-found", `${address} has no entry of its own on the ${list}.`);
}

const ttlOf = (ms: number | null | undefined) => (ms === undefined ? {} : { ttlMs: ms });

function writtenBody({ isDryRun }: ApiContext, { change, record }: ChangeResult<unknown>) {
  return { change, record, dryRun: isDryRun };
}

const iso = (ms: number | null) => (ms === null ? null : new Date(Math.min(ms, 8.64e15)).toISOString());

function outcomeBody(outcome: AddOutcome) {
  if (outcome.outcome === "refused") return refusedBody(outcome);
  const { address, outcome: done, expiresAt } = outcome;
  return { address, outcome: done, expiresAt: iso(expiresAt) };
}

function removalBody(outcome: RemoveOutcome) {
  if (outcome.outcome === "refused") return refusedBody(outcome);
  const { address, outcome: done, coveredBy } = outcome;
  return { address, outcome: done, coveredBy: [...coveredBy] };
}

function tagBody(outcome: TagOutcome) {
  if (outcome.outcome === "refused") return refusedBody(outcome);
  const { address, outcome: done } = outcome;
  return { address, outcome: done, ...("tags" in outcome && { tags: outcome.tags }) };
}

function refusedBody({ address, outcome, code, message }: RefusedEntry) {
  return { address, outcome, code, message };
}

function entryBody({ address, expiresAt, reason, by, at, via, tags, flag }: CatalogueEntry) {
  return {
    ...{ address, expiresAt: iso(expiresAt), reason },
    ...(by !== undefined && { by }),
    ...(at !== undefined && { at }),
    ...(via !== undefined && { via }),
    ...(tags !== undefined && { tags }),
    ...(flag !== undefined && { notEnforced: flag }),
  };
}
