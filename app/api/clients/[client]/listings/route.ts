import { z } from "zod";
import { tellListings } from "../../../../_server/client-listings.ts";
import { read } from "../../../../_server/read.ts";
import { clientIn, type Params } from "../client-in.ts";

const search = z.object({});

export const GET = read<typeof search, Params>("read", search, ({ params }) =>
  tellListings(clientIn(params)),
);
