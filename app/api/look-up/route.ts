import { z } from "zod";
import { read } from "../../_server/read.ts";
import { lookUp } from "./look-up.ts";

const longest = 200;

export const GET = read("read", z.object({ q: z.string().max(longest) }), ({ console, who, search }) =>
  lookUp(console, { text: search.q, yours: who.address }),
);
