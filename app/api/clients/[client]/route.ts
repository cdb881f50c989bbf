import { z } from "zod";
import { tellOfClient } from "../../../_server/client.ts";
import { read } from "../../../_server/read.ts";
import { shared } from "../../../_server/statistics.ts";
import { clientIn, type Params } from "./client-in.ts";

const search = z.object({ app: z.string().min(1).max(64).optional(), path: z.string().max(300).optional() });
const freshMs = 900;

export const GET = read<typeof search, Params>("read", search, async ({ params, search }) => {
  const client = clientIn(params);
  return shared(`client ${JSON.stringify([client, search])}`, freshMs, () => tellOfClient(client, search));
});
