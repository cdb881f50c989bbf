import type { Cidr, Ip } from "../../../../lib/ip/parse.ts";
import { requireAddress } from "../../../_server/required-address.ts";

export type Params = { client: string };

/** The client of a path; what cannot be decoded is taken as it stands. */
export function clientIn({ client }: Params): Ip | Cidr {
  return requireAddress(decoded(client));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
