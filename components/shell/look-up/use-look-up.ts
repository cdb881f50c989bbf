"use client";

import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useState } from "react";
import { type LookUpReply, lookUp } from "@/lib/queries/look-up.ts";
import { ReadError } from "@/lib/queries/query.ts";
import { type LookUpOption, optionsOf } from "./look-up-options.ts";

const settledAfterMs = 120;

interface Asked {
  readonly text: string;
  readonly mayCreate: boolean;
  choose(option: LookUpOption): void;
}

/** Results for the text, and the one that the keys have reached. */
export function useLookUp({ text, mayCreate, choose }: Asked) {
  const typed = text.trim();
  const settled = useSettled(typed, settledAfterMs);
  const { data, error, isFetching } = useQuery({ ...lookUp(settled), enabled: settled !== "" });
  const isAsking = typed !== "" && (settled !== typed || isFetching);
  const found = settled === typed && typed !== "" ? data : undefined;
  const options = optionsOf({ text, found, mayCreate });
  const [active, setActive] = useActive(typed);
  const [isGoing, setIsGoing] = useState(false);

  // Enter right after a paste opens the first result once it arrives.
  useEffect(() => {
    const [first] = options;
    if (!isGoing || isAsking) return;
    setIsGoing(false);
    if (first) choose(first);
  });

  const onKeyDown = (event: KeyboardEvent) => {
    setIsGoing(false);
    const next = nextActive(event.key, Math.min(active, options.length - 1), options.length);
    if (next !== undefined) setActive(next);
    else if (event.key !== "Enter") return;
    else if (isAsking && active === 0) setIsGoing(true);
    else if (options[active]) choose(options[active]);
    event.preventDefault();
  };

  return {
    options,
    active,
    setActive,
    isAsking,
    onKeyDown,
    says: isAsking ? "" : say(typed, found, error, options),
  };
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
  if (found?.problem) return `${found.problem}.`;
  if (found?.address?.isYours) return "This is your own address.";
  return typed !== "" && options.length === 0 ? "No address, customer or page matches." : "";
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
