import { z } from "zod";
import { readBasis } from "../../../../../lib/customers/basis.ts";
import { changesOf } from "../../../../../lib/customers/history.ts";
import { read } from "../../../../_server/read.ts";
import { customerIn } from "../customer-id.ts";

/** Without a basis only the last one is wanted. */
const asked = z.object({ basedOn: z.string().max(40).optional() });
const most = 10;

export const GET = read<typeof asked, { id: string }>("read", asked, async ({ console, params, search }) => {
  const range = search.basedOn === undefined ? {} : { after: readBasis(search.basedOn).record, most };
  return { changes: await changesOf(console.redis, customerIn(params), range) };
});
