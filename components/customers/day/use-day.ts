"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { LiveRead } from "@/components/console/read-state.tsx";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { type CustomerDay, customerDay, minutesShown } from "@/lib/queries/customer-day.ts";
import { type Marker, markers, type OffSpan } from "@/lib/queries/markers.ts";

const askEveryMs = 5_000;

export interface DayNow {
  readonly read: LiveRead<CustomerDay>;
  readonly markers: readonly Marker[];
  /** Times in which the mode was off. */
  readonly off: readonly OffSpan[];
}

/** A customer's last 24 hours, live. */
export function useDay({ id, basedOn }: Pick<CustomerNow, "id" | "basedOn">): DayNow {
  const live = { placeholderData: keepPreviousData, refetchInterval: askEveryMs, retry: false } as const;
  const read = useQuery({ ...customerDay(id), ...live });
  const { queryKey, queryFn } = markers({ seconds: minutesShown * 60, customer: id });
  // Asked again when the customer is another one than it was.
  const changes = useQuery({ queryKey: [...queryKey, basedOn], queryFn, ...live });
  return { read, markers: changes.data?.markers ?? [], off: changes.data?.off ?? [] };
}
