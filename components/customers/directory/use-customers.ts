"use client";

import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { type CustomerRow, customersAtOnce } from "@/lib/queries/customers.ts";
import { type CustomersUrl, readOf } from "./customers-url.ts";

const askEveryMs = 3_000;

export type CustomersNow = ReturnType<typeof useCustomers>;

/** All customers that match, of which only those on screen are read. */
export function useCustomers(url: CustomersUrl) {
  const [shown, setShown] = useState({ from: 0, to: 0 });
  const live = { refetchInterval: askEveryMs };
  const first = useQuery({ ...readOf(url, 0), ...live, placeholderData: keepPreviousData });
  const offsets = windowsFor(shown.from, shown.to);
  const others = useQueries({ queries: offsets.map((offset) => ({ ...readOf(url, offset), ...live })) });
  const rows = new Map<number, CustomerRow>();
  const pages = [
    { offset: 0, data: first.data },
    ...others.map(({ data }, i) => ({ offset: offsets[i] ?? 0, data })),
  ];
  for (const { offset, data } of pages)
    for (const [i, customer] of data?.customers.entries() ?? []) rows.set(offset + i, customer);
  const show = useCallback((from: number, to: number) => setShown({ from, to }), []);
  return {
    /** What is true of all of them: of the first read. */
    page: first.data,
    read: first,
    /** Other rows are on their way. */
    isBehind: first.isPlaceholderData,
    at: (place: number) => rows.get(place),
    /** Which rows are on screen: they are read, and kept live. */
    show,
  };
}

/** The offsets of the reads that hold these rows, but for the first, which is always read. */
function windowsFor(from: number, to: number): number[] {
  const windows: number[] = [];
  for (let at = Math.floor(from / customersAtOnce); at <= Math.floor(to / customersAtOnce); at++)
    if (at > 0) windows.push(at * customersAtOnce);
  return windows;
}
