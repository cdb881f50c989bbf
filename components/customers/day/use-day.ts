"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { customerDay, minutesShown } from "@/lib/queries/customer-day.ts";
import { markers } from "@/lib/queries/markers.ts";

const askEveryMs = 5_000;

export type DayNow = ReturnType<typeof useDay>;

/** A customer's last 24 hours, live. */
export function useDay({ id, basedOn }: Pick<CustomerNow, "id" | "basedOn">) {
  const live = { placeholderData: keepPreviousData, refetchInterval: askEveryMs, retry: false } as const;
  const read = useQuery({ ...customerDay(id), ...live });
  const { queryKey, queryFn } = markers({ seconds: minutesShown * 60, customer: id });
  // Asked again when the customer is another one than it was.
  const changes = useQuery({ queryKey: [...queryKey, basedOn], queryFn, ...live });
  const { markers: shown = [], off = [] } = changes.data ?? {};
  return { read, markers: shown, off };
}
