"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { type PolicyUrl, readPolicyUrl, writePolicyUrl } from "./policy-url.ts";

/** What the address bar says, and how to change it without asking the server for the page again. */
export function usePolicyUrl(): readonly [PolicyUrl, (change: Partial<PolicyUrl>) => void] {
  const path = usePathname();
  const search = useSearchParams();
  const url = useMemo(() => readPolicyUrl(search), [search]);
  const change = (wish: Partial<PolicyUrl>) => {
    const now = readPolicyUrl(new URLSearchParams(window.location.search));
    window.history.replaceState(null, "", `${path}${writePolicyUrl({ ...now, ...wish })}`);
  };
  return [url, change];
}
