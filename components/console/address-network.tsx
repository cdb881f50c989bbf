"use client";

import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { classes } from "@/components/ui/classes.ts";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { sayNetwork, unknownNetwork } from "@/lib/observe/networks/network-words.ts";
import { mostNetworks, type NetworkOf, type NetworksReply, networks } from "@/lib/queries/networks.ts";
import { readTogether } from "./read-together.ts";

/** Whether data whose license requires a credit were shown. */
const credits = {
  isDue: false,
  listeners: new Set<() => void>(),
  set(isDue: boolean) {
    if (isDue === credits.isDue) return;
    credits.isDue = isDue;
    for (const listener of credits.listeners) listener();
  },
  subscribe(listener: () => void) {
    credits.listeners.add(listener);
    return () => credits.listeners.delete(listener);
  },
};

/** The network of one address, and how complete the data are. */
type AddressNetworkReply = Omit<NetworksReply, "of"> & NetworkOf;

const load = readTogether<AddressNetworkReply>(mostNetworks, async (addresses) => {
  const { of, ...rest } = await networks(addresses).queryFn({});
  credits.set(rest.isEmbedded);
  return of.map((network) => ({ ...rest, ...network }));
});

/** The data change at most once a day. */
const freshMs = 600_000;
const loadingMs = 2_000;

const networkOf = (address: string) => ({
  queryKey: ["networks", "of", address],
  queryFn: () => load(address),
  retry: false,
  staleTime: freshMs,
});

function useNetwork(address: string) {
  return useQuery({
    ...networkOf(address),
    refetchInterval: ({ state: { data } }) => (data && !data.isLoaded ? loadingMs : false),
    networkMode: "always",
  });
}

interface AddressNetworkProps {
  address: string;
  /** Also says that the network is unknown. */
  isFull?: boolean;
  /** Has a line of its own. */
  isLong?: boolean;
  className?: string | undefined;
}

const longestInRow = 60;

/** Network of an address or range in a quiet text: "AS64500 Example Hosting · DE". */
export function AddressNetwork({ address, isFull = false, isLong = isFull, className }: AddressNetworkProps) {
  const { data, isError } = useNetwork(address);
  if (!data && !isError) return null;
  const text = data ? sayNetwork(data) : unknownNetwork;
  const isUnknown = text === unknownNetwork;
  if (isUnknown && !isFull) return null;
  return (
    <span
      className={classes(
        "min-w-0 font-sans text-meta text-text-3",
        !isLong && "inline-block max-w-44 truncate align-bottom",
        className,
      )}
    >
      {isUnknown ? (
        <span title={whyUnknown(data)}>{text}</span>
      ) : (
        <Untrusted text={text} max={isLong ? 160 : longestInRow} />
      )}
    </span>
  );
}

function whyUnknown(data: AddressNetworkReply | undefined): string {
  if (!data) return "The network failed to load";
  if (!data.isLoaded) return "The data on networks are loading";
  return data.hasFailure
    ? "Some data on networks failed to load"
    : "The data on networks do not have this address";
}

const sources = [
  ["https://db-ip.com/", "IP Geolocation by DB-IP"],
  ["https://www.routeviews.org/", "RouteViews"],
  ["https://www.nro.net/", "NRO"],
  ["https://github.com/sapics/ip-location-db", "adapted by ip-location-db"],
] as const;

/** Names the authors of the embedded data (CC BY 4.0), on each page that has shown some. */
export function NetworkCredit() {
  const isDue = useSyncExternalStore(
    credits.subscribe,
    () => credits.isDue,
    () => false,
  );
  if (!isDue) return null;
  return (
    <p className="mt-auto pt-3 text-meta text-text-3">
      Network data:{" "}
      {sources.map(([href, name]) => (
        <span key={href}>
          <a
            href={href}
            target="_blank"
            rel="noreferrer"
            className="rounded-sm underline decoration-border-2 underline-offset-2 hover:decoration-current"
          >
            {name}
          </a>
          {", "}
        </span>
      ))}
      CC BY 4.0
    </p>
  );
}
