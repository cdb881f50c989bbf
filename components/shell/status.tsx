"use client";

import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use } from "react";
import { status, statusEveryMs } from "../../lib/queries/status.ts";
import { type Standing, withTrouble } from "./standing.ts";

const standingKey = ["standing"];

interface StandingNow extends Standing {
  /** Asks at once, instead of with the next turn. */
  ask(): Promise<unknown>;
}

const StandingContext = createContext<StandingNow>({ ask: async () => {} });

/** One poll for everything on the page. A failed one is an answer, too: what was known stays, and is told as old. */
export function StatusProvider({ initial, children }: { initial: Standing; children: ReactNode }) {
  const client = useQueryClient();
  const { data, refetch } = useQuery({
    queryKey: standingKey,
    queryFn: ({ signal }) => askStanding(client, signal),
    initialData: initial,
    refetchInterval: statusEveryMs,
    // Also without a network: that it is gone is what has to be told.
    networkMode: "always",
    retry: false,
  });
  const standing = { ...data, ask: () => refetch() };
  return <StandingContext value={standing}>{children}</StandingContext>;
}

export const useStanding = (): StandingNow => use(StandingContext);

async function askStanding(client: QueryClient, signal: AbortSignal): Promise<Standing> {
  try {
    return { known: await status().queryFn({ signal }) };
  } catch (error) {
    if (signal.aborted) throw error;
    return withTrouble(client.getQueryData<Standing>(standingKey) ?? {}, error, Date.now());
  }
}
