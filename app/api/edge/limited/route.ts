import { z } from "zod";
import { readLimited } from "../../../../lib/edge/limited.ts";
import { mostRowsRead } from "../../../../lib/queries/edge.ts";
import { read } from "../../../_server/read.ts";
import { shared } from "../../../_server/statistics.ts";
import { pageOf } from "./page-of.ts";

const place = z.coerce.number().int().min(0).max(1_000_000);
const search = z
  .object({ q: z.string().trim().max(200).default(""), from: place, to: place })
  .refine(({ from, to }) => to > from && to - from <= mostRowsRead);
const freshMs = 900;

export const GET = read("read", search, async ({ console, search }) =>
  pageOf(await shared("edge limited", freshMs, () => readLimited(console.redis)), search),
);
