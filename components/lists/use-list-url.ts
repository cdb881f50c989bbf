"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { isSameView, type ListUrl, readListUrl, writeListUrl } from "./list-url.ts";

/** View of the URL, and its setter. A change does not load the page from the server again. */
export function useListUrl(): readonly [ListUrl, (next: ListUrl) => void] {
  const pathname = usePathname();
  const search = useSearchParams();
  const url = useMemo(() => readListUrl(search), [search]);
  const change = useCallback(
    (next: ListUrl) => {
      const path = `${pathname}${writeListUrl(next)}`;
      // Back returns to the previous filter, not to each letter and each scroll position.
      const isStep = !isSameView(next, url) && next.q === url.q;
      if (isStep) window.history.pushState(null, "", path);
      else window.history.replaceState(null, "", path);
    },
    [pathname, url],
  );
  return [url, change];
}
