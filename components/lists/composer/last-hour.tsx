"use client";

import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { clientReach } from "@/lib/queries/client.ts";
import { lastHourWords } from "./last-hour-words.ts";

const everyMs = 10_000;

/** Requests of an address or range in the last hour. */
export function LastHour({ address }: { address: string }) {
  const { data, isPending } = useQuery({ ...clientReach(address), refetchInterval: everyMs });
  if (isPending) return <Skeleton className="mt-1 h-3 w-48" />;
  return <p>{lastHourWords(data)}</p>;
}
