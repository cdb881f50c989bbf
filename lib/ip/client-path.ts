import { type Block, formatIp } from "./block.ts";
import { readHop, readPeer, type Trust } from "./client-address.ts";
import type { Ip } from "./parse.ts";

/** One hop of a request: the socket's peer, or an entry of `X-Forwarded-For`. */
export interface Hop {
  /** Text as it was received. Untrusted. */
  readonly text: string;
  /** Undefined if the text is not an address. */
  readonly address: Ip | undefined;
  /** A proxy is trusted, the client is the sender that rules count, and every hop behind the client is ignored. */
  readonly part: "proxy" | "client" | "ignored";
  /** Why the hop is trusted: the range that covers it, or its number among the trusted hops. */
  readonly because?: string;
}

const mostIgnored = 16;

/** Explains the answer of `clientAddress`, hop by hop from the socket. Returns the nearest ignored hops only. */
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
