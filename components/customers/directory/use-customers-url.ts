"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { type CustomersUrl, readCustomersUrl, writeCustomersUrl } from "./customers-url.ts";

/** What the address bar says, and how to change it without asking the server for the page again. */
export function useCustomersUrl(): readonly [CustomersUrl, (next: CustomersUrl) => void] {
  const pathname = usePathname();
  const url = readCustomersUrl(useSearchParams());
  const change = (next: CustomersUrl) => {
    const path = `${pathname}${writeCustomersUrl(next)}`;
    // Back leads to the group before this one, not through every letter.
    if (next.group === url.group) window.history.replaceState(null, "", path);
    else window.history.pushState(null, "", path);
  };
  return [url, change];
}

/** What is typed into the search box: at once, while the address bar and the page follow behind. */
export function useTypedSearch(
  url: CustomersUrl,
  change: (next: CustomersUrl) => void,
): readonly [string, (typed: string) => void] {
  const [typed, setTyped] = useState(url.search);
  const sent = useRef(url.search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new url is the sign to look.
  useEffect(() => {
    // The url of this render may be one that was typed over already; the address bar is not.
    const { search } = readCustomersUrl(new URLSearchParams(window.location.search));
    if (search === sent.current) return;
    sent.current = search;
    setTyped(search);
  }, [url.search]);
  const type = (text: string) => {
    setTyped(text);
    sent.current = text.trim();
    change({ ...url, search: text.trim() });
  };
  return [typed, type];
}
