import { z } from "zod";
import { DomainError } from "../../errors.ts";
import { type Cidr, type Ip, parseAddress } from "../../ip/parse.ts";
import { type DecidedRequests, type OwnersOfLines, previewLines } from "../../manage/lists/preview.ts";
import { may } from "../../manage/users/roles.ts";
import { type OwnersRead, readOwners } from "../../observe/customers/owners.ts";
import { mostOwned } from "../../queries/owners.ts";
import type { Connection } from "../../redis/connect.ts";
import { postedRead } from "../action.ts";
import { loadedCatalogue } from "../catalogue.ts";
import { inFairTurn } from "../fair-turns.ts";
import { entryHits } from "./entry-hits.ts";
import { tags } from "./tag-field.ts";

export const list = z.enum(["safelist", "blocklist"]);

export const address = z.string().transform((given, context): Ip | Cidr => {
  const parsed = parseAddress(given);
  if (parsed.ok) return parsed.value;
  context.addIssue({ code: "custom", message: parsed.reason });
  return z.NEVER;
});

/** Lines that are previewed, and then written as they were previewed. */
export const linesInput = {
  list,
  /** A request has a megabyte in all. */
  text: z.string().max(1_000_000),
  ttlMs: z.number().int().nullable(),
  reason: z.string().max(10_000),
  /** Wide ranges that were typed again. */
  confirmed: z.array(address).max(1_000),
  /** For all lines. */
  tags: tags.optional(),
};

const hourMs = 3_600_000;

/** The customers of many addresses, a part at a time: other reads of Redis come between. */
async function ownersOf(redis: Connection, addresses: readonly (Ip | Cidr)[]): Promise<OwnersOfLines> {
  const reads: OwnersRead[] = [];
  for (let from = 0; from < addresses.length; from += mostOwned)
    reads.push(await readOwners(redis, addresses.slice(from, from + mostOwned)));
  return {
    isKnown: reads.every(({ knownSince }) => knownSince !== undefined),
    of: reads.flatMap(({ of }) =>
      of.map(({ owners }) => owners.map(({ customer, requests }) => ({ customer, requests }))),
    ),
  };
}

/** Undefined where the hits of entries could not be read in time. */
async function decidedByBlocks(): Promise<DecidedRequests | undefined> {
  const hits = await entryHits("blocklist");
  if (!hits) return undefined;
  const { isReported, since, unknown } = hits.known;
  return {
    isAll: isReported && unknown.hour === 0 && (since === null || since <= hits.asOf - hourMs),
    of: new Map(hits.busiest.map((address) => [address, hits.of(address).hour ?? 0])),
  };
}

/** As long as an action's: what is previewed is written by an action. */
const longestBody = 1_048_576;

/** What adding these lines would do. Nothing is written. */
export const postLinesPreview = postedRead({
  name: "lists.preview",
  needs: "lists",
  longestBody,
  input: z.object({ ...linesInput, withCustomers: z.array(address).max(1_000).optional() }),
  run: (ctx, input, signal) =>
    inFairTurn("preview", ctx.who.sessionId, () => {
      // The answer would go nowhere. A preview that is typed over frees its turn for the next one.
      if (signal.aborted) throw new DomainError("too-busy", "The browser no longer waits for this preview.");
      return previewLines(
        ctx,
        { ...input, mayForever: may(ctx.who.role, "lists-forever") },
        {
          lookAround: async () => (await loadedCatalogue()).around(),
          readOwners: (addresses) => ownersOf(ctx.redis, addresses),
          readDecided: decidedByBlocks,
        },
      );
    }),
});
