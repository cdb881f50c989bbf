import { z } from "zod";
import { tellOfClient } from "../../../_server/client.ts";
import { read } from "../../../_server/read.ts";
import { shared } from "../../../_server/statistics.ts";

const search = z.object({ app: z.string().min(1).max(64).optional(), path: z.string().max(300).optional() });
const freshMs = 900;

export const GET = read<typeof search, { client: string }>("read", search, ({ params, search }) => {
  const client = decoded(params.client);
  return shared(`client ${JSON.stringify([client, search])}`, freshMs, () => tellOfClient(client, search));
});

/** What cannot be decoded is taken as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
