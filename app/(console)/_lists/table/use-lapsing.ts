"use client";

import { useCallback, useEffect, useState } from "react";
import type { ListedEntry } from "../../../../lib/queries/entries.ts";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { type Lapsing, lapseKey, readLapsing, toggledLapse, writeLapsing } from "./lapse.ts";

/** What was decided to lapse, for as long as the tab is open. */
export function useLapsing(list: ListName): readonly [Lapsing, (entry: ListedEntry) => void] {
  const [lapsing, setLapsing] = useState<Lapsing>(new Map());
  useEffect(() => setLapsing(readLapsing(sessionStorage.getItem(lapseKey(list)))), [list]);
  const toggle = useCallback(
    (entry: ListedEntry) => {
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
