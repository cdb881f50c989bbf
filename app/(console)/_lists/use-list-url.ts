"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { isSameView, type ListUrl, readListUrl, writeListUrl } from "./list-url.ts";

/** What the address bar says, and how to change it without asking the server for the page again. */
export function useListUrl(): readonly [ListUrl, (next: ListUrl) => void] {
  const pathname = usePathname();
  const search = useSearchParams();
  const url = useMemo(() => readListUrl(search), [search]);
  const change = useCallback(
    (next: ListUrl) => {
      const path = `${pathname}${writeListUrl(next)}`;
      // Back leads to the filter before this one, not through every letter and every scroll.
      const isStep = !isSameView(next, url) && next.q === url.q;
      if (isStep) window.history.pushState(null, "", path);
      else window.history.replaceState(null, "", path);
    },
    [pathname, url],
  );
  return [url, change];
}
