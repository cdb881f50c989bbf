"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { type AuditUrl, readAuditUrl, writeAuditUrl } from "./audit-url.ts";

export type ChangeUrl = (part: Partial<AuditUrl>, isTyped?: boolean) => void;

/** What the address bar says, and how to change it without asking the server for the page again. */
export function useAuditUrl(): readonly [AuditUrl, ChangeUrl] {
  const pathname = usePathname();
  const search = useSearchParams();
  const url = useMemo(() => readAuditUrl(search), [search]);
  const change = useCallback<ChangeUrl>(
    (part, isTyped = false) => {
      const path = `${pathname}${writeAuditUrl({ ...url, ...part })}`;
      // Back leads to the filter before this one, not through every letter.
      if (isTyped) window.history.replaceState(null, "", path);
      else window.history.pushState(null, "", path);
    },
    [pathname, url],
  );
  return [url, change];
}
