import type { Trait } from "./network-facts.ts";

/** A network, as readers of it have it. */
export interface NetworkToSay {
  readonly special?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly asn?: number | null | undefined;
  readonly asName?: string | null | undefined;
  readonly traits?: readonly Trait[] | undefined;
  readonly isSeveral?: boolean | undefined;
}

export const traitWords: Readonly<Record<Trait, string>> = {
  hosting: "hosting",
  tor: "Tor",
  vpn: "VPN",
  proxy: "proxy",
  anonymous: "anonymous",
};

export const unknownNetwork = "unknown network";

/** "AS64500 Example Hosting · DE · hosting", "private range", "several networks · DE", "unknown network". */
export function sayNetwork(network: NetworkToSay): string {
  const { special, country, asn, asName, traits = [], isSeveral } = network;
  if (special) return special;
  const as = asn ? `AS${asn}${asName ? ` ${asName}` : ""}` : isSeveral ? "several networks" : asName;
  const parts = [as, country, ...traits.map((trait) => traitWords[trait])].filter(Boolean);
  return parts.length > 0 ? parts.join(" · ") : unknownNetwork;
}
