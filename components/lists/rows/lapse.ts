import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { expiring, type ListEntry } from "@/lib/queries/entries.ts";
import type { ListName } from "@/lib/redis/keys.ts";

/** Entries that the user lets expire, with their expiry. Another expiry needs another decision. */
export type Lapsing = ReadonlyMap<string, number>;

const lapseKey = (list: ListName) => `sluice.lapse.${list}`;

export function isLapsing(lapsing: Lapsing, { address, expiresAt }: ListEntry): boolean {
  return expiresAt !== null && Math.abs((lapsing.get(address) ?? 0) - expiresAt) < 1_000;
}

export function toggledLapse(lapsing: Lapsing, entry: ListEntry): Lapsing {
  const next = new Map(lapsing);
  if (isLapsing(lapsing, entry)) next.delete(entry.address);
  else if (entry.expiresAt !== null) next.set(entry.address, entry.expiresAt);
  return next;
}

export function readLapsing(stored: string | null): Lapsing {
  try {
    const read: unknown = JSON.parse(stored ?? "[]");
    if (!Array.isArray(read)) return new Map();
    return new Map(read.filter(isPair));
  } catch {
    return new Map();
  }
}

/** Keeps only the latest thousand. */
export function writeLapsing(lapsing: Lapsing): string {
  return JSON.stringify([...lapsing].slice(-1_000));
}

function isPair(value: unknown): value is [string, number] {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "number";
}

/** Entries that the user lets expire, stored while the tab is open. */
export function useLapsing(list: ListName): readonly [Lapsing, (entry: ListEntry) => void] {
  const [lapsing, setLapsing] = useState<Lapsing>(new Map());
  useEffect(() => setLapsing(readLapsing(sessionStorage.getItem(lapseKey(list)))), [list]);
  const toggle = useCallback(
    (entry: ListEntry) => {
      setLapsing((before) => {
        const next = toggledLapse(before, entry);
        sessionStorage.setItem(lapseKey(list), writeLapsing(next));
        return next;
      });
    },
    [list],
  );
  return [lapsing, toggle];
}

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
