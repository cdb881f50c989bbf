"use client";

import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import {
  type CustomersPage,
  customers,
  customersAtOnce,
  type ListedCustomer,
} from "../../../lib/queries/customers.ts";
import type { CustomersUrl } from "./customers-url.ts";

const askEveryMs = 3_000;

export interface CustomersNow {
  /** What is true of all of them: of the first read. */
  readonly page: CustomersPage | undefined;
  readonly error: Error | null;
  /** What is shown was read at this moment, and cannot be read now. */
  readonly staleSince: number | undefined;
  /** Other rows are on their way. */
  readonly isBehind: boolean;
  at(place: number): ListedCustomer | undefined;
  /** Which rows are on screen: they are read, and kept live. */
  show(first: number, last: number): void;
  ask(): void;
}

/** All customers that match, of which only those on screen are read. */
export function useCustomers(url: CustomersUrl): CustomersNow {
  const [shown, setShown] = useState({ from: 0, to: 0 });
  const live = { refetchInterval: askEveryMs };
  const first = useQuery({ ...readOf(url, 0), ...live, placeholderData: keepPreviousData });
  const offsets = windowsFor(shown.from, shown.to);
  const others = useQueries({ queries: offsets.map((offset) => ({ ...readOf(url, offset), ...live })) });
  const rows = new Map<number, ListedCustomer>();
  const pages = [
    { offset: 0, data: first.data },
    ...others.map(({ data }, i) => ({ offset: offsets[i] ?? 0, data })),
  ];
  for (const { offset, data } of pages)
    for (const [i, customer] of data?.customers.entries() ?? []) rows.set(offset + i, customer);
  const show = useCallback((from: number, to: number) => setShown({ from, to }), []);
  return {
    page: first.data,
    error: first.error,
    staleSince: first.isError && first.data ? first.dataUpdatedAt : undefined,
    isBehind: first.isPlaceholderData,
    at: (place) => rows.get(place),
    show,
    ask: () => void first.refetch(),
  };
}

/** One read of many: rows from `offset` on. */
export function readOf(url: CustomersUrl, offset: number) {
  const search = url.search === "" ? undefined : url.search;
  return customers({ search, group: url.group, offset });
}

/** The offsets of the reads that hold these rows, but for the first, which is always read. */
function windowsFor(from: number, to: number): number[] {
  const windows: number[] = [];
  for (let at = Math.floor(from / customersAtOnce); at <= Math.floor(to / customersAtOnce); at++)
    if (at > 0) windows.push(at * customersAtOnce);
  return windows;
}
