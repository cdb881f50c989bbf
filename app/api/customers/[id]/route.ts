import { z } from "zod";
import { viewCustomer } from "../../../../lib/customers/view.ts";
import { read } from "../../../_server/read.ts";
import { countsOf } from "../counts.ts";
import { customerIn } from "./customer-id.ts";
import { toNow } from "./now.ts";

const nothing = z.object({});

export const GET = read<typeof nothing, { id: string }>("read", nothing, async ({ console, params }) =>
  toNow(await viewCustomer(console.redis, countsOf(console), customerIn(params))),
);
