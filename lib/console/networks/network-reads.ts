import { z } from "zod";
import { environment } from "../../env.ts";
import { formatIp, isWhole } from "../../ip/block.ts";
import { blockOf, readBlock } from "../../ip/parse.ts";
import { filesOf } from "../../observe/networks/mmdb-setting.ts";
import { type Network, Networks } from "../../observe/networks/networks.ts";
import { ReverseDns } from "../../observe/networks/reverse-dns.ts";
import { mostNetworks, type NamesReply, type NetworkOf, type NetworksReply } from "../../queries/networks.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { requireAddress } from "../clients/client-now.ts";
import { inTime } from "../in-time.ts";
import { decodedPart, read } from "../read.ts";

/** The data on networks of this process. They are loaded at the first read. */
export const theNetworks = () =>
  oncePerProcess("networks", () => new Networks({ files: filesOf(environment().mmdb) }));

/** Longest wait in ms for data that are loading. What is in memory by then is the answer. */
const patienceMs = 500;

/** The data as far as they are loaded in time. */
export async function loadedNetworks(): Promise<Networks> {
  const networks = theNetworks();
  await inTime(networks.refresh(), patienceMs);
  return networks;
}

/** The networks of addresses and ranges. A text that is neither has no known network: programs may write any to the lists. */
export async function readNetworks(addresses: readonly string[]): Promise<NetworksReply> {
  const networks = await loadedNetworks();
  const { isLoaded, sources } = networks;
  return {
    isLoaded,
    hasFailure: sources.some(({ failure }) => failure !== undefined),
    isEmbedded: sources.some(({ isEmbedded, isLoaded }) => isEmbedded && isLoaded),
    of: addresses.map((address) => asReply(address, networks)),
  };
}

function asReply(address: string, networks: Networks): NetworkOf {
  const block = readBlock(address);
  const found: Network = block ? networks.find(block) : {};
  const { special, country, asn, asName, traits, isSeveral } = found;
  return {
    ...{ address, special: special ?? null, country: country ?? null },
    ...{
      asn: asn ?? null,
      asName: asName ?? null,
      traits: [...(traits ?? [])],
      isSeveral: isSeveral ?? false,
    },
  };
}

/** Posted, because the addresses on a page are too many for a URL. */
export const postNetworks = read(
  "read",
  z.object({ addresses: z.array(z.string().max(64)).min(1).max(mostNetworks) }),
  ({ search }) => readNetworks(search.addresses),
);

const theReverseDns = () =>
  oncePerProcess("reverse DNS", () => new ReverseDns({ isOn: !environment().isReverseDnsOff }));

/** Names of one address. A range has none. */
export const getClientNames = read<z.ZodObject, { client: string }>(
  "read",
  z.object({}),
  async ({ params }) => {
    const address = requireAddress(decodedPart(params.client));
    const block = blockOf(address);
    if (!isWhole(block)) return { outcome: "special", names: [], isPartly: false } satisfies NamesReply;
    const { outcome, names, isPartly } = await theReverseDns().namesOf(formatIp(block));
    return { outcome, names: [...names], isPartly } satisfies NamesReply;
  },
);
