"use client";

import { type QueryClient, useQuery } from "@tanstack/react-query";
import { mostOwned, type OwnersOf, type OwnersReply, owners } from "@/lib/queries/owners.ts";
import { readTogether } from "./read-together.ts";

/** The customers of one address, and since when none is missing. */
export type AddressOwners = Pick<OwnersReply, "asOf" | "knownSince"> & OwnersOf;

/** All addresses on a page are read again at the same moments of the clock, so that they are one request. */
const everyMs = 15_000;

const load = readTogether<AddressOwners>(mostOwned, async (addresses) => {
  const { of, ...known } = await owners(addresses).queryFn({});
  return of.map((found) => ({ ...known, ...found }));
});

const ownersOf = (address: string) => ({
  queryKey: ["owners", address],
  queryFn: () => load(address),
  retry: false,
});

/** The customers of an address on the page. Addresses of all rows are one request. */
export function useOwners(address: string) {
  return useQuery({
    ...ownersOf(address),
    staleTime: everyMs / 2,
    refetchInterval: () => everyMs - (Date.now() % everyMs),
    networkMode: "always",
  });
}

/** Counts before a block are those of its preview, which is read every few seconds. */
const freshMs = 5_000;
/** A block waits this long for the customers. */
const patienceMs = 1_500;

/** The customers of addresses before a change. Undefined if they are not read in time. */
export async function readOwnersInTime(
  client: QueryClient,
  addresses: readonly string[],
): Promise<AddressOwners[] | undefined> {
  const reading = Promise.all(
    addresses.map((address) => client.fetchQuery({ ...ownersOf(address), staleTime: freshMs })),
  ).catch(() => undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, patienceMs, undefined);
  });
  const found = await Promise.race([reading, late]);
  clearTimeout(timer);
  return found;
}
