"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { CustomerNow } from "../../../../../lib/queries/customer.ts";
import { type CustomerDay, customerDay, minutesShown } from "../../../../../lib/queries/customer-day.ts";
import { type Marker, markers } from "../../../../../lib/queries/markers.ts";

const askEveryMs = 5_000;

export interface DayNow {
  readonly day: CustomerDay | undefined;
  readonly markers: readonly Marker[];
  /** Why it cannot be read now. */
  readonly problem: string | undefined;
  /** What is shown was read at this moment. */
  readonly readAt: number;
}

/** A customer's last 24 hours, followed live; what failed leaves the last answer on the screen. */
export function useDay({ id, basedOn }: Pick<CustomerNow, "id" | "basedOn">): DayNow {
  const live = { placeholderData: keepPreviousData, refetchInterval: askEveryMs, retry: false } as const;
  const { data, error, dataUpdatedAt } = useQuery({ ...customerDay(id), ...live });
  const { queryKey, queryFn } = markers({ seconds: minutesShown * 60, customer: id });
  // Asked again when the customer is another one than it was.
  const changes = useQuery({ queryKey: [...queryKey, basedOn], queryFn, ...live });
  return {
    day: data,
    markers: changes.data?.markers ?? [],
    problem: error?.message,
    readAt: dataUpdatedAt,
  };
}
