"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Run } from "./run.ts";
import { type ReadRun, readRun, writeRun } from "./run-url.ts";

/** A slider passes through many runs; browsers take only so many addresses in a minute. */
const restMs = 250;

/** The run on screen. The address bar follows it, and leads to it. */
export function useRun() {
  const search = useSearchParams();
  const pathname = usePathname();
  const [state, setState] = useState<ReadRun>(() => readRun(search));
  const written = useRef(search.toString());
  const change = useCallback(
    (wish: Partial<Run>) => setState(({ run }) => ({ run: { ...run, ...wish }, unread: [] })),
    [],
  );

  useEffect(() => {
    if (search.toString() === written.current) return;
    written.current = search.toString();
    setState(readRun(search));
  }, [search]);

  useEffect(() => {
    const wanted = writeRun(state.run);
    if (wanted === writeRun(readRun(new URLSearchParams(written.current)).run)) return;
    const timer = setTimeout(() => {
      written.current = wanted.slice(1);
      window.history.replaceState(null, "", `${pathname}${wanted}`);
    }, restMs);
    return () => clearTimeout(timer);
  }, [state, pathname]);

  return { ...state, change };
}
