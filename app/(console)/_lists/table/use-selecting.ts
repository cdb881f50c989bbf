"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type Dispatch, type SetStateAction, useCallback, useEffect, useState } from "react";
import { entries, type ListedEntry } from "../../../../lib/queries/entries.ts";
import type { ListName } from "../../../../lib/redis/keys.ts";
import type { ListUrl } from "../list-url.ts";
import type { HeldRow } from "./row-windows.ts";
import { windowSize, windowsFor } from "./row-windows.ts";
import { nothing, type Selection, stretched, stretchTo, toggled } from "./selection.ts";

/** A stretch of rows that is longer than this is meant as "all that match". */
const longestStretch = 2_000;

interface SelectingOptions {
  readonly list: ListName;
  readonly url: ListUrl;
  readonly rows: ReadonlyMap<number, HeldRow>;
}

export interface Selecting {
  readonly selection: Selection;
  readonly set: Dispatch<SetStateAction<Selection>>;
  /** With shift, everything from the row chosen last. */
  readonly pick: (entry: ListedEntry, place: number, hasShift: boolean) => Promise<void>;
}

/** What is chosen. It stays while rows come and go, until it is used or cleared. */
export function useSelecting({ list, url, rows }: SelectingOptions): Selecting {
  const client = useQueryClient();
  const [selection, set] = useState<Selection>(nothing);
  // "All that match" means this search: another one matches others.
  const search = `${url.facet} ${url.q}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search is why it is cleared.
  useEffect(() => set((before) => (before.kind === "matching" ? nothing : before)), [search]);
  const read = useCallback(
    async (from: number, to: number) => {
      const { q, facet, sort, dir } = url;
      const asked = { list, q: q || undefined, facet, sort, dir, limit: windowSize };
      const pages = await Promise.all(
        windowsFor({ from, to }).map((offset) => client.fetchQuery(entries({ ...asked, offset }))),
      );
      const first = windowsFor({ from, to })[0] ?? 0;
      return pages.flatMap((page) => page.entries).slice(from - first, to - first);
    },
    [client, list, url],
  );
  const pick = async (entry: ListedEntry, place: number, hasShift: boolean) => {
    const { from, to } = stretchTo(selection, place);
    if (!hasShift || to - from === 1 || to - from > longestStretch) {
      set((before) => toggled(before, entry, place));
      return;
    }
    const seen = Array.from({ length: to - from }, (_, i) => rows.get(from + i)?.entry);
    const known = seen.filter((found) => found !== undefined);
    const between = known.length === to - from ? known : await read(from, to).catch(() => known);
    set((before) => stretched(before, between, place));
  };
  return { selection, set, pick };
}
