"use client";

import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useState } from "react";
import { useNow } from "@/components/ui/now.ts";
import { clientDetail, clientReach } from "@/lib/queries/client.ts";
import { links } from "@/lib/queries/links.ts";
import { type LookUpReply, lookUp } from "@/lib/queries/look-up.ts";
import { ReadError } from "@/lib/queries/query.ts";
import { type LookUpOption, optionsOf, type Part } from "./look-up-options.ts";

const settledAfterMs = 120;

interface Asked {
  readonly text: string;
  readonly mayCreate: boolean;
  readonly mayList: boolean;
  choose(option: LookUpOption, isNewTab: boolean): void;
}

/** Results for the text, and the one that the keys have reached. */
export function useLookUp({ text, mayCreate, mayList, choose }: Asked) {
  const typed = text.trim();
  const settled = useSettled(typed, settledAfterMs);
  const { data, error, isFetching } = useQuery({
    ...lookUp(settled),
    enabled: settled !== "",
    // Its commands must not come from an earlier look-up.
    gcTime: 0,
  });
  const isAsking = typed !== "" && (settled !== typed || isFetching);
  const found = settled === typed && typed !== "" ? data : undefined;
  const now = useNow();
  const parts = useAddressReads(found?.address, now);
  const outside = useQuery({ ...links(), staleTime: linksFreshMs });
  const options = optionsOf({
    ...{ text, found, mayCreate, mayList, now, ...parts },
    links: { data: outside.data?.links, error: outside.error },
  });
  const [active, setActive] = useActive(typed);
  const [isGoing, setIsGoing] = useState(false);

  // Enter right after a paste opens the first result once it arrives.
  useEffect(() => {
    const [first] = options;
    if (!isGoing || isAsking) return;
    setIsGoing(false);
    if (first) choose(first, false);
  });

  const onKeyDown = (event: KeyboardEvent) => {
    setIsGoing(false);
    const next = nextActive(event.key, Math.min(active, options.length - 1), options.length);
    if (next !== undefined) setActive(next);
    else if (event.key !== "Enter") return;
    else if (isAsking && active === 0) setIsGoing(true);
    else if (options[active]) choose(options[active], event.ctrlKey || event.metaKey);
    event.preventDefault();
  };

  return {
    options,
    active,
    setActive,
    isAsking,
    onKeyDown,
    /** As the Enter key, once the results have come. */
    enter: () => setIsGoing(true),
    says: isAsking ? "" : say(typed, found, error, options),
  };
}

const linksFreshMs = 30_000;
const everyMs = 2_000;
/** An older answer says nothing of now. */
const freshMs = 5_000;

/** State of the found address, or the clients in the found range. */
function useAddressReads(address: LookUpReply["address"] | undefined, now: number) {
  const text = address?.text ?? "";
  const [isClient, isRange] = [address?.isRange === false, address?.isRange === true];
  const live = { retry: false, refetchInterval: everyMs };
  const client = useQuery({ ...clientDetail(text, {}), enabled: isClient, ...live });
  const reach = useQuery({ ...clientReach(text), enabled: isRange, ...live });
  const fresh = <T>({
    data,
    error,
    dataUpdatedAt,
  }: Part<T> & { readonly dataUpdatedAt: number }): Part<T> => ({
    data: now - dataUpdatedAt < freshMs ? data : undefined,
    error,
  });
  return { client: fresh(client), reach: fresh(reach) };
}

/** Each new text selects the most likely result. */
function useActive(text: string) {
  const [{ of, index }, setMark] = useState({ of: text, index: 0 });
  const setActive = (next: number) => setMark({ of: text, index: next });
  return [of === text ? index : 0, setActive] as const;
}

function nextActive(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === "ArrowDown") return (active + 1) % count;
  if (key === "ArrowUp") return (active - 1 + count) % count;
  return undefined;
}

function say(
  typed: string,
  found: LookUpReply | undefined,
  error: Error | null,
  options: readonly LookUpOption[],
): string {
  if (error) return `${sayError(error)} Search still finds pages.`;
  if (found?.denial) return `${found.denial.says} ${found.denial.now}`;
  if (found?.problem) return `${found.problem}.`;
  if (found?.address?.isYours) return "This is your own address.";
  return typed !== "" && options.length === 0 ? "No address, customer, rule, denial or page matches." : "";
}

function sayError(error: Error): string {
  return error instanceof ReadError && error.status === 503 ? "Redis does not answer." : error.message;
}

/** The value after it has not changed for `ms`. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
