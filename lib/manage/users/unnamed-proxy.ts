import { type Block, format } from "../../ip/block.ts";
import { readHop, readPeer } from "../../ip/client-address.ts";
import type { Ip } from "../../ip/parse.ts";

export interface Sender {
  /** The client's address as far as proxies are trusted. */
  readonly address: Ip | undefined;
  /** The address of the socket. */
  readonly peer: string | undefined;
  readonly forwardedFor: string | null;
}

/**
 * Whether the address is that of a socket which forwards for others: a proxy that SLUICE_TRUSTED_PROXIES does not name, or a
 * client that claims to be one.
 */
export function isUnnamedProxy({ address, peer, forwardedFor }: Sender): boolean {
  if (address === undefined || forwardedFor === null || !isAddress(readPeer(peer), address)) return false;
  // Next fills a missing X-Forwarded-For in with the address of the socket. Any other value names a client behind the socket.
  return !isAddress(readHop(forwardedFor), address);
}

const isAddress = (block: Block | undefined, address: Ip) => block !== undefined && format(block) === address;
