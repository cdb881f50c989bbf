"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { type AuditUrl, readAuditUrl, writeAuditUrl } from "./audit-url.ts";

export type ChangeUrl = (part: Partial<AuditUrl>, isTyped?: boolean) => void;

/** State of the address bar, changed without reloading the page from the server. */
export function useAuditUrl(): readonly [AuditUrl, ChangeUrl] {
  const pathname = usePathname();
  const search = useSearchParams();
  const url = useMemo(() => readAuditUrl(search), [search]);
  const change = useCallback<ChangeUrl>(
    (part, isTyped = false) => {
      // A new filter searches from the newest record on.
      const path = `${pathname}${writeAuditUrl({ ...url, record: "", ...part })}`;
      // Back leads to the filter before this one, not through every letter.
      if (isTyped) window.history.replaceState(null, "", path);
      else window.history.pushState(null, "", path);
    },
    [pathname, url],
  );
  return [url, change];
}
