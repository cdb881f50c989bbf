import type { Trust } from "@/lib/ip/client-address.ts";
import type { Hop } from "@/lib/ip/client-path.ts";
import { blockOf, type Ip, isCanonical } from "@/lib/ip/parse.ts";
import { loopback, rangeList } from "@/lib/ip/range-list.ts";

/** Advice about the proxies of a request. */
export interface Advice {
  readonly isWell: boolean;
  readonly says: string;
  readonly cure?: string;
  /** What SLUICE_TRUSTED_PROXIES should be set to. */
  readonly setting?: string;
}

const privateRanges = rangeList(
  [
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "169.254.0.0/16",
    "fc00::/7",
    "fe80::/10",
  ].filter(isCanonical),
);

/** Whether the client is likely to be the one it seems, and what to set when it is not. */
export function adviceOn(hops: readonly Hop[], trust: Trust): Advice {
  const at = hops.findIndex(({ part }) => part === "client");
  const client = hops[at];
  if (!client?.address) return unknown;
  const named = hops.slice(at + 1).find(({ address }) => address !== undefined);
  if (client.because === undefined) {
    if (named && at > 0 && !isIn(privateRanges, client.address)) return madeUp(client.address, at, trust);
    if (named) return unheard(client.address, at, trust);
    if (isIn(privateRanges, client.address)) return perhapsProxy(client.address, trust);
    return {
      isWell: true,
      says: at === 0 ? direct : `${client.address} is the client that your proxies report.`,
    };
  }
  if (isIn(loopback, client.address)) return { isWell: true, says: "You connect from this machine." };
  return at < trust.hops && trust.hops > 0 ? tooManyHops(at, trust) : silentProxy(client.address);
}

const direct = "You reach the console without a proxy in between.";

const unknown: Advice = {
  isWell: false,
  says: "This process does not see the addresses of connections, so users can block their own address.",
  cure: "Start the console as it was built: instrumentation.ts must export register.",
};

function unheard(address: Ip, at: number, trust: Trust): Advice {
  return {
    isWell: false,
    says: `${address} names another client in X-Forwarded-For, and is not trusted. All clients behind it count as ${address}.`,
    cure: `If ${address} is your proxy, trust it and restart the console. If it is not, a client claims another address, without effect.`,
    setting: withProxy(address, at, trust),
  };
}

function madeUp(address: Ip, at: number, trust: Trust): Advice {
  return {
    isWell: true,
    says: `${address} is the client that your proxies report. The addresses that it names itself are ignored.`,
    cure: `If ${address} is your CDN or proxy, trust it, too.`,
    setting: withProxy(address, at, trust),
  };
}

function perhapsProxy(address: Ip, trust: Trust): Advice {
  return {
    isWell: true,
    says: `${address} is an address of a private network.`,
    cure: "If it is your proxy, configure it to send X-Forwarded-For, and trust it.",
    setting: withProxy(address, 0, { ...trust, hops: 0 }),
  };
}

function tooManyHops(at: number, { hops }: Trust): Advice {
  return {
    isWell: false,
    says: `SLUICE_TRUSTED_PROXIES trusts ${hops} hops, but this request had ${at}. Clients on this way can claim any address.`,
    cure: "Set it to the number of proxies that every request passes, or name the proxies' ranges.",
    setting: String(at),
  };
}

function silentProxy(address: Ip): Advice {
  return {
    isWell: false,
    says: `${address} is a trusted proxy that does not report its clients. All clients behind it count as ${address}.`,
    cure: "Configure it to send X-Forwarded-For.",
  };
}

/** The setting that would trust one more. */
function withProxy(address: Ip, at: number, { hops, ranges }: Trust): string {
  return hops > 0 ? String(at + 1) : [...ranges.ranges, address].join(",");
}

function isIn(ranges: typeof loopback, address: Ip): boolean {
  return ranges.covering(blockOf(address)) !== undefined;
}
