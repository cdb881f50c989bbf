import { z } from "zod";
import { tellOfClient } from "../../../_server/client.ts";
import { read } from "../../../_server/read.ts";
import { shared } from "../../../_server/statistics.ts";

const search = z.object({ app: z.string().max(64).optional(), path: z.string().max(300).optional() });
const freshMs = 900;

export const GET = read<typeof search, { client: string }>("read", search, ({ params, search }) => {
  const client = decodeURIComponent(params.client);
  return shared(`client ${JSON.stringify([client, search])}`, freshMs, () => tellOfClient(client, search));
});
