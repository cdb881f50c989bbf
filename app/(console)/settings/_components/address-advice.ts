import type { Trust } from "../../../../lib/ip/client-address.ts";
import type { Hop } from "../../../../lib/ip/client-path.ts";
import { blockOf, type Ip, isCanonical } from "../../../../lib/ip/parse.ts";
import { loopback, rangeList } from "../../../../lib/ip/range-list.ts";

/** What is to be said of the way by which a request came. */
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
    return { isWell: true, says: at === 0 ? direct : `${client.address} is who your proxies say connects.` };
  }
  if (isIn(loopback, client.address)) return { isWell: true, says: "You come from this machine itself." };
  return at < trust.hops && trust.hops > 0 ? tooManyHops(at, trust) : silentProxy(client.address);
}

const direct = "You reach the console without a proxy in between.";

const unknown: Advice = {
  isWell: false,
  says: "This process does not see who connects, so nobody's own address can be kept safe.",
  cure: "Start the console as it was built: instrumentation.ts must export register.",
};

function unheard(address: Ip, at: number, trust: Trust): Advice {
  return {
    isWell: false,
    says: `${address} names somebody else in X-Forwarded-For, and is not trusted. So whoever comes through it counts as ${address}.`,
    cure: `If ${address} is a proxy of yours, trust it and start the console again. If it is not, somebody tries to pass for another, in vain.`,
    setting: withProxy(address, at, trust),
  };
}

function madeUp(address: Ip, at: number, trust: Trust): Advice {
  return {
    isWell: true,
    says: `${address} is who your proxies say connects. What it names itself counts for nothing.`,
    cure: `If ${address} is a CDN or proxy of yours, trust it, too.`,
    setting: withProxy(address, at, trust),
  };
}

function perhapsProxy(address: Ip, trust: Trust): Advice {
  return {
    isWell: true,
    says: `${address} is an address of a private network.`,
    cure: "If a proxy of yours stands there, let it send X-Forwarded-For and trust it.",
    setting: withProxy(address, 0, { ...trust, hops: 0 }),
  };
}

function tooManyHops(at: number, { hops }: Trust): Advice {
  return {
    isWell: false,
    says: `SLUICE_TRUSTED_PROXIES trusts ${hops} hops, and there were ${at}. Whoever comes this way can name any address as their own.`,
    cure: "Set it to the number of proxies that every request passes, or name the proxies' ranges.",
    setting: String(at),
  };
}

function silentProxy(address: Ip): Advice {
  return {
    isWell: false,
    says: `${address} is a trusted proxy, and does not say who connects. So whoever comes through it counts as ${address}.`,
    cure: "Let it send X-Forwarded-For.",
  };
}

/** The setting that would trust one more. */
function withProxy(address: Ip, at: number, { hops, ranges }: Trust): string {
  return hops > 0 ? String(at + 1) : [...ranges.ranges, address].join(",");
}

function isIn(ranges: typeof loopback, address: Ip): boolean {
  return ranges.covering(blockOf(address)) !== undefined;
}
