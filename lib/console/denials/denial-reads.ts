import { z } from "zod";
import { DomainError } from "../../errors.ts";
import { type Cidr, type Ip, parseAddress } from "../../ip/parse.ts";
import { mostRetentionDays, readRetentionDays } from "../../manage/denials/retention.ts";
import {
  type DenialFilter,
  parseCursor,
  readCompleteness,
  readDenials,
  sayCompleteness,
  walkDenials,
} from "../../observe/denials/denial-log.ts";
import { denialRows, exportDenials } from "../../observe/denials/export-denials.ts";
import type { DenialsPage } from "../../queries/denials.ts";
import { download } from "../export-stream.ts";
import { read } from "../read.ts";
import { redisNowMs, theStatistics } from "../statistics.ts";

const text = z.string().min(1).max(200).optional();
const filterFields = {
  ...{ client: text, customer: text, rule: text, app: text, path: text },
  outcome: z.enum(["blocked", "throttled"]).optional(),
  ...{ from: text, to: text },
};
const pageSize = 100;
const dayMs = 86_400_000;

export const getDenials = read(
  "read",
  z.object({ ...filterFields, cursor: text }),
  async ({ console: { redis }, search: { cursor, ...given } }): Promise<DenialsPage> => {
    const asOf = await redisNowMs();
    const filter = filterOf(given, asOf);
    const [{ items, next }, complete] = await Promise.all([
      readDenials(redis, filter, {
        limit: pageSize,
        cursor: cursor === undefined ? undefined : placeOf(cursor),
      }),
      readCompleteness({ redis, series: theStatistics().series }, { ...filter, nowMs: asOf }),
    ]);
    const { since, retentionDays } = complete;
    return {
      asOf,
      items: [...items],
      next: next ?? null,
      says: sayCompleteness(complete),
      since,
      retentionDays,
    };
  },
);

export const getRetention = read("read", z.object({}), async ({ console: { redis } }) => ({
  days: await readRetentionDays(redis),
  most: mostRetentionDays,
}));

const formats = ["csv", "jsonl"] as const;

export const getDenialsExport = read(
  "read",
  z.object({ ...filterFields, format: z.enum(formats) }),
  async ({ console: { redis }, who, search: { format, ...given } }) => {
    const rows = denialRows(walkDenials(redis, filterOf(given, await redisNowMs())));
    return download(who.email, inPieces(exportDenials(rows, format)), { name: "denials", format });
  },
);

function filterOf(given: z.output<z.ZodObject<typeof filterFields>>, asOf: number): DenialFilter {
  const { client, from, to, ...same } = given;
  const end = momentOf("to", to) ?? asOf;
  return { ...same, ...addressOf(client), from: momentOf("from", from) ?? end - dayMs, to: end };
}

function addressOf(client: string | undefined): { readonly client?: Ip | Cidr } {
  if (client === undefined) return {};
  const parsed = parseAddress(client);
  if (parsed.ok) return { client: parsed.value };
  throw new DomainError("bad-input", `${parsed.reason}.`, { client: parsed.reason });
}

/** Without a zone it is UTC. */
function momentOf(name: "from" | "to", given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const ms = Date.parse(/^[\d-]+T[\d:.]+$/.test(given) ? `${given}Z` : given);
  if (!Number.isNaN(ms)) return ms;
  const problem = "write a time, such as 2026-05-09T10:00";
  throw new DomainError("bad-input", `${name}: ${problem}.`, { [name]: problem });
}

function placeOf(cursor: string) {
  const place = parseCursor(cursor);
  if (place) return place;
  throw new DomainError("bad-input", "This is not a place in the log.");
}

/** Lines go out in pieces of about this many characters. */
const pieceLength = 64_000;

async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = "";
  for await (const line of lines) {
    piece += line;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}
