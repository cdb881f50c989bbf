"use client";

import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect } from "react";
import { noteActivity } from "@/lib/queries/activity.ts";
import { status, statusEveryMs } from "@/lib/queries/status.ts";
import { type Standing, startOf, withTrouble } from "./standing.ts";

const standingKey = ["standing"];

interface StandingNow extends Standing {
  /** Reads the status now, instead of with the next poll. */
  ask(): Promise<unknown>;
}

const StandingContext = createContext<StandingNow>({ ask: async () => {} });

/** Polls the status for the whole page. After a failed poll, the last status stays, with the trouble. */
export function StatusProvider({ initial, children }: { initial: Standing; children: ReactNode }) {
  const client = useQueryClient();
  useActivity();
  const { data, refetch } = useQuery({
    queryKey: standingKey,
    queryFn: ({ signal }) => readStoredLimits(client, signal),
    initialData: initial,
    // An unknown status is read immediately.
    ...(!initial.known && !initial.trouble && { initialDataUpdatedAt: 0 }),
    refetchInterval: statusEveryMs,
    // Polls without a network, too, to report that it is gone.
    networkMode: "always",
    retry: false,
  });
  const standing = { ...data, ask: () => refetch() };
  return <StandingContext value={standing}>{children}</StandingContext>;
}

const acts = ["pointerdown", "keydown", "wheel", "touchmove"] as const;

/** Reads tell the server that the user is active. */
function useActivity(): void {
  useEffect(() => {
    const note = () => noteActivity();
    for (const act of acts) window.addEventListener(act, note, { capture: true, passive: true });
    return () => {
      for (const act of acts) window.removeEventListener(act, note, { capture: true });
    };
  }, []);
}

export const useStanding = (): StandingNow => use(StandingContext);

async function readStoredLimits(client: QueryClient, signal: AbortSignal): Promise<Standing> {
  try {
    const known = await status().queryFn({ signal });
    if (client.getQueryData<Standing>(standingKey)?.trouble) retryFailed(client);
    return { known };
  } catch (error) {
    if (signal.aborted) throw error;
    const { data = {}, dataUpdatedAt = 0 } = client.getQueryState<Standing>(standingKey) ?? {};
    return withTrouble(data, error, startOf(dataUpdatedAt, Date.now()));
  }
}

/** Repeats failed reads after an outage. Their next poll may be half a minute away. */
function retryFailed(client: QueryClient): void {
  void client.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
}
