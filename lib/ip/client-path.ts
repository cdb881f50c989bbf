import { type Block, formatIp } from "./block.ts";
import { readHop, readPeer, type Trust } from "./client-address.ts";
import type { Ip } from "./parse.ts";

/** One party on a request's way: the socket's peer, or who is named in `X-Forwarded-For`. */
export interface Hop {
  /** As it was received; a stranger may have written it. */
  readonly text: string;
  /** Nothing for what is no address. */
  readonly address: Ip | undefined;
  /** A proxy is believed, the client is who is taken for the sender, and whoever comes after counts for nothing. */
  readonly part: "proxy" | "client" | "ignored";
  /** Why it would be believed about others: the range that holds it, or which of the trusted hops it is. */
  readonly because?: string;
}

const mostIgnored = 16;

/** How `clientAddress` comes to its answer, from the socket outwards. Of what is ignored, the nearest is told. */
export function clientPath(peer: string | undefined, forwardedFor: string | null, trust: Trust): Hop[] {
  const named = forwardedFor?.split(",").reverse() ?? [];
  const found = [
    ...(peer === undefined ? [] : [{ text: peer, block: readPeer(peer) }]),
    ...named.map((text) => ({ text: text.trim(), block: readHop(text) })),
  ];
  const isKnown = peer !== undefined;
  const reasons = found.map(({ block }, hop) =>
    isKnown && block ? whyTrusted(block, hop, trust) : undefined,
  );
  const client = found.findIndex((_, i) => reasons[i] === undefined || !found[i + 1]?.block);
  return found.slice(0, client + 1 + mostIgnored).map(({ text, block }, i) => ({
    text,
    address: block && formatIp(block),
    part: i < client ? "proxy" : i === client && block && isKnown ? "client" : "ignored",
    ...(i <= client && reasons[i] !== undefined && { because: reasons[i] }),
  }));
}

function whyTrusted(address: Block, hop: number, { hops, ranges }: Trust): string | undefined {
  return ranges.covering(address) ?? (hop < hops ? `hop ${hop + 1} of ${hops}` : undefined);
}
