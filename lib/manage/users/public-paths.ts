import { isShared, signInClient } from "./sign-in-client.ts";
import { isUnnamedProxy, type Sender } from "./unnamed-proxy.ts";

/** Pages and routes that do work for anyone, signed in or not. */
const publicPaths = ["/signin", "/welcome", "/api/auth", "/api/v1/openapi.json"];

export function isPublicPath(pathname: string): boolean {
  return publicPaths.some((path) => pathname === path || pathname.startsWith(`${path}/`));
}

/**
 * The client whose requests for public paths are counted: its address, or its /64. Undefined for an address that other people
 * may share: unknown, private, or of a proxy that SLUICE_TRUSTED_PROXIES does not name. There, the requests of one
 * client would keep everyone else from signing in.
 */
export function countedClient(sender: Sender): string | undefined {
  const { address } = sender;
  return isShared(address) || isUnnamedProxy(sender) ? undefined : signInClient(address);
}

interface ClientWindow {
  requests: number;
  readonly endsAt: number;
}

const limit = 300;
const periodMs = 60_000;
const mostClients = 10_000;

/**
 * Requests of each client for public paths, in windows that begin with its first request. Generous, because an office may share
 * one address, and in this process alone: it protects this process' time, not passwords.
 */
export class PublicPathLimit {
  readonly #counts = new Map<string, ClientWindow>();

  /** Counts a request. Returns after how many seconds the client may ask again if it is over the limit. */
  take(client: string, now = performance.now()): number | undefined {
    const known = this.#counts.get(client);
    if (known && known.endsAt > now) {
      known.requests++;
      return known.requests > limit ? Math.ceil((known.endsAt - now) / 1_000) : undefined;
    }
    this.#counts.delete(client);
    this.#makeRoom(now);
    this.#counts.set(client, { requests: 1, endsAt: now + periodMs });
    return undefined;
  }

  /** All windows are of one length, so the oldest ends first. */
  #makeRoom(now: number): void {
    for (const [client, { endsAt }] of this.#counts) {
      if (endsAt > now && this.#counts.size < mostClients) return;
      this.#counts.delete(client);
    }
  }
}
