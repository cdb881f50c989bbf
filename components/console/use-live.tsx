"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { usePathname, useSearchParams } from "next/navigation";
import { createContext, type ReactNode, use, useMemo, useState } from "react";
import type { Query } from "@/lib/queries/query.ts";
import { type LiveView, readLiveView, writeLiveView } from "./live-view.ts";
import { useKey } from "./use-key.ts";

interface Live extends LiveView {
  readonly isPaused: boolean;
  pause(isPaused: boolean): void;
  look(view: Partial<LiveView>): void;
}

const LiveContext = createContext<Live | undefined>(undefined);

/** Shown period and app, and whether live data is paused. P pauses. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const parameters = useSearchParams();
  const path = usePathname();
  const [isPaused, pause] = useState(false);
  const view = useMemo(() => readLiveView(parameters), [parameters]);
  useKey("pause", () => pause((was) => !was));
  const look = (wish: Partial<LiveView>) =>
    window.history.replaceState(null, "", `${path}${writeLiveView({ ...view, ...wish }, parameters)}`);
  return <LiveContext value={{ ...view, isPaused, pause, look }}>{children}</LiveContext>;
}

export function useLive(): Live {
  const live = use(LiveContext);
  if (!live) throw new Error("useLive works inside of LiveProvider");
  return live;
}

/** A read that repeats until it is paused. After a failed read, the last answer stays on the screen. */
export function useLiveQuery<T>(query: Query<T>, everyMs: number) {
  const { isPaused } = useLive();
  return useQuery({
    ...query,
    placeholderData: keepPreviousData,
    refetchInterval: isPaused ? false : everyMs,
    networkMode: "always",
    retry: false,
  });
}

const retryEveryMs = 5_000;

/** `refetchInterval` of a read that is not polled: a failed one is retried until it has an answer. */
export const retryEvery = ({ state }: { state: { status: string } }): number | false =>
  state.status === "error" ? retryEveryMs : false;
