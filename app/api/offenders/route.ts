import { z } from "zod";
import { readOffenders } from "../../_server/offenders.ts";
import { read } from "../../_server/read.ts";
import { shared } from "../../_server/statistics.ts";

const search = z.object({
  app: z.string().min(1).max(64).optional(),
  most: z.coerce.number().int().min(1).max(100),
});
const freshMs = 900;

export const GET = read("read", search, ({ search: { app, most } }) =>
  shared(`offenders ${app ?? ""} ${most}`, freshMs, () => readOffenders(app, most)),
);
