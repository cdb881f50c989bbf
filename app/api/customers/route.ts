import { z } from "zod";
import { read } from "../../_server/read.ts";
import { countsOf } from "./counts.ts";
import { directoryOf } from "./directory.ts";
import { findPage } from "./find.ts";

const asked = z.object({
  search: z.string().trim().max(200).default(""),
  group: z
    .union([z.enum(["all", "no-tier", "own-levels", "not-obeyed"]), z.templateLiteral(["tier:", z.string()])])
    .default("all"),
  offset: z.coerce.number().int().min(0).max(1e9).default(0),
});

export const GET = read("read", asked, async ({ console, search }) => {
  const { directory, mirror } = await directoryOf(console);
  const source = { redis: console.redis, counts: countsOf(console), directory, ageMs: mirror.ageMs };
  return findPage(source, search);
});
