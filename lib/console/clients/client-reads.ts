import { z } from "zod";
import { type Cidr, type Ip, parseAddress } from "../../ip/parse.ts";
import { read } from "../read.ts";
import { shared, theStatistics } from "../statistics.ts";
import { tellListings } from "./client-listings.ts";
import { requireAddress, tellOfClient } from "./client-now.ts";
import { tellReach } from "./client-reach.ts";
import { lookUp } from "./look-up.ts";

export type ClientParams = { client: string };

/** The client of a path; what cannot be decoded is taken as it is. */
export function clientIn({ client }: ClientParams): Ip | Cidr {
  return requireAddress(decoded(client));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The client of a page's path, and the text that it is made of. */
export function clientOfPath(part: string) {
  const text = decodeURIComponent(part.replace(/%(?![\da-f]{2})/gi, "%25"));
  return { text, client: parseAddress(text) };
}

const clientSearch = z.object({
  app: z.string().min(1).max(64).optional(),
  path: z.string().max(300).optional(),
});
const clientFreshMs = 900;

export const getClient = read<typeof clientSearch, ClientParams>(
  "read",
  clientSearch,
  async ({ params, search }) => {
    const client = clientIn(params);
    return shared(`client ${JSON.stringify([client, search])}`, clientFreshMs, () =>
      tellOfClient(client, search),
    );
  },
);

export const getClientListings = read<z.ZodObject, ClientParams>("read", z.object({}), ({ params }) =>
  tellListings(clientIn(params)),
);

const reachFreshMs = 2_000;

export const getClientReach = read<z.ZodObject, ClientParams>("read", z.object({}), async ({ params }) => {
  const address = clientIn(params);
  return shared(`reach ${address}`, reachFreshMs, () => tellReach(address));
});

/** A token in a cookie may be that long. */
const longestLookUp = 4_096;

/** Posted, because what is looked up may be a credential, and proxies log URLs. */
export const postLookUp = read(
  "read",
  z.object({ q: z.string().max(longestLookUp) }),
  ({ console, who, search }) =>
    lookUp({ ...console, scales: theStatistics().scales }, { text: search.q, yours: who.address }),
);
