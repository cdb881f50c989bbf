import { z } from "zod";
import { tellReach } from "../../../../_server/client-reach.ts";
import { read } from "../../../../_server/read.ts";
import { shared } from "../../../../_server/statistics.ts";
import { clientIn, type Params } from "../client-in.ts";

const search = z.object({});
const freshMs = 2_000;

export const GET = read<typeof search, Params>("read", search, async ({ params }) => {
  const address = clientIn(params);
  return shared(`reach ${address}`, freshMs, () => tellReach(address));
});
