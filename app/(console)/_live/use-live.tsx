"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { usePathname, useSearchParams } from "next/navigation";
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { useNow } from "../../../components/ui/now.ts";
import type { Query } from "../../../lib/queries/query.ts";
import { type LiveView, readLiveView, writeLiveView } from "./live-url.ts";

interface Live extends LiveView {
  readonly isPaused: boolean;
  pause(isPaused: boolean): void;
  look(view: Partial<LiveView>): void;
}

const LiveContext = createContext<Live | undefined>(undefined);

/** What is looked at, and whether it goes on. P pauses. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const parameters = useSearchParams();
  const path = usePathname();
  const [isPaused, pause] = useState(false);
  const view = useMemo(() => readLiveView(new URLSearchParams(parameters)), [parameters]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "p" && !event.ctrlKey && !event.metaKey && !isTyping(event.target))
        pause((was) => !was);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  const look = (wish: Partial<LiveView>) =>
    window.history.replaceState(null, "", `${path}${writeLiveView({ ...view, ...wish })}`);
  return <LiveContext value={{ ...view, isPaused, pause, look }}>{children}</LiveContext>;
}

export function useLive(): Live {
  const live = use(LiveContext);
  if (!live) throw new Error("useLive works inside of LiveProvider");
  return live;
}

/** A read that goes on by itself. What failed leaves the last answer on the screen. */
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

/** One read that fails is nothing to speak of. */
const toleratedMs = 3_000;

/** For how long nothing new could be read, in ms; nothing while it can, or while somebody has paused it. */
export function useStaleMs({ isError, dataUpdatedAt }: { isError: boolean; dataUpdatedAt: number }) {
  const { isPaused } = useLive();
  const ageMs = useNow() - dataUpdatedAt;
  return isError && !isPaused && dataUpdatedAt > 0 && ageMs > toleratedMs ? ageMs : undefined;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null
  );
}
