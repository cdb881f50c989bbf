"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";

/** State of this page in its URL. */
interface PolicyUrl {
  readonly view: "form" | "json";
  /** Name of the rule whose editor is open. */
  readonly rule: string | undefined;
  /** Key of the level in the finder. */
  readonly find: string | undefined;
  readonly span: "1h" | "24h";
}

export function readPolicyUrl(search: Pick<URLSearchParams, "get">): PolicyUrl {
  return {
    view: search.get("view") === "json" ? "json" : "form",
    rule: search.get("rule") ?? undefined,
    find: search.get("find") ?? undefined,
    span: search.get("span") === "24h" ? "24h" : "1h",
  };
}

/** Leaves out defaults. */
export function writePolicyUrl({ view, rule, find, span }: PolicyUrl): string {
  const set = new URLSearchParams();
  if (view === "json") set.set("view", view);
  if (rule !== undefined) set.set("rule", rule);
  if (find !== undefined) set.set("find", find);
  if (span !== "1h") set.set("span", span);
  return set.size > 0 ? `?${set}` : "";
}

/** State in the URL, and a function that changes it without loading the page again. */
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
