"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { expiring } from "@/lib/queries/entries.ts";
import type { ListName } from "@/lib/redis/keys.ts";

const dayMs = 86_400_000;
const everyMs = 30_000;

/** How often each of the entries that expire next was listed before. */
export function useListedBefore(list: ListName, isAsked: boolean): ReadonlyMap<string, number> {
  const { data } = useQuery({
    ...expiring({ list, withinMs: dayMs, limit: 200 }),
    enabled: isAsked,
    refetchInterval: everyMs,
  });
  return useMemo(
    () =>
      new Map(
        (data?.entries ?? []).flatMap(({ address, listedBefore }) =>
          listedBefore === undefined ? [] : [[address, listedBefore] as const],
        ),
      ),
    [data],
  );
}
