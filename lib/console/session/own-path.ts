import { headers } from "next/headers";
import { readStamp } from "../../enforce/guard/peer.ts";
import { clientPath } from "../../ip/client-path.ts";
import { theConsole } from "../console.ts";

/** Hops of this request from its client to the console, and the settings that they follow from. */
export async function readOwnPath() {
  const sent = await headers();
  const { trust } = theConsole();
  const { peer } = readStamp(sent);
  const received = sent.get("x-forwarded-for");
  // Where no header came, Next puts the address of the socket in its place.
  const forwardedFor = received === peer ? null : received;
  return { trust, forwardedFor, hops: clientPath(peer, forwardedFor, trust) };
}
