import { z } from "zod";
import { environment } from "../../env.ts";
import { readLimited } from "../../manage/edge/limited.ts";
import { mostRowsRead } from "../../queries/edge.ts";
import { read } from "../read.ts";
import { shared } from "../statistics.ts";
import { pageOf } from "./page-of.ts";
import { readEdge } from "./read-edge.ts";
import { theSweep } from "./sweep.ts";

const freshMs = 900;

export const getEdge = read("read", z.object({}), ({ console }) =>
  shared("edge", freshMs, () =>
    readEdge(console.redis, { isNamed: environment().edge !== undefined, problem: theSweep().problem }),
  ),
);

const place = z.coerce.number().int().min(0).max(1_000_000);
const limitedSearch = z
  .object({ q: z.string().trim().max(200).default(""), from: place, to: place })
  .refine(({ from, to }) => to > from && to - from <= mostRowsRead);

export const getLimitedClients = read("read", limitedSearch, async ({ console, search }) =>
  pageOf(await shared("edge limited", freshMs, () => readLimited(console.redis)), search),
);
