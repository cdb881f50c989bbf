import { z } from "zod";
import { read } from "../../_server/read.ts";
import { readPage } from "./read-page.ts";
import { filterFields, filterOf } from "./search.ts";

const search = z.object({
  ...filterFields,
  before: z
    .string()
    .regex(/^\d{1,20}-\d{1,20}$/)
    .optional(),
});

export const GET = read("read", search, ({ console, who: { role }, search }) =>
  readPage({ ...console, role }, filterOf(search), search.before),
);
