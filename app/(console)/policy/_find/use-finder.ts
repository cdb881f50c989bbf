"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { type RatesReply, rates } from "../../../../lib/queries/rates.ts";
import type { PolicyEditor } from "../_draft/use-policy.ts";
import { usePolicyUrl } from "../_draft/use-policy-url.ts";
import { type Findable, findableIn, findKey } from "./finder.ts";

const askEveryMs = 30_000;
const pauseMs = 200;

export interface Finder {
  readonly choices: readonly Findable[];
  readonly chosen: Findable | undefined;
  readonly span: "1h" | "24h";
  readonly app: string | undefined;
  /** Where the line is. */
  readonly limit: number;
  readonly reply: RatesReply | undefined;
  /** The answer is about where the line was. */
  readonly isBehind: boolean;
  readonly error: Error | null;
  choose(key: string): void;
  look(span: "1h" | "24h"): void;
  pick(app: string | undefined): void;
  move(limit: number): void;
  ask(): void;
}

/** Which rule's limit is looked for, over what, and where the line is. */
export function useFinder({ draft }: PolicyEditor): Finder {
  const [url, change] = usePolicyUrl();
  const [app, pick] = useState<string>();
  const [line, setLine] = useState<{ key: string; limit: number }>();
  const choices = useMemo(() => findableIn(draft.policy), [draft.policy]);
  const chosen = choices.find((one) => findKey(one) === url.find) ?? choices[0];
  const key = chosen && findKey(chosen);
  const limit = line && line.key === key ? line.limit : (chosen?.limit ?? 1);
  const asked = useSettled(limit);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...rates({
      kind: chosen?.kind ?? "ip",
      periodSeconds: Math.min(86_400, chosen?.periodSeconds ?? 60),
      span: url.span,
      app,
      limit: asked,
    }),
    enabled: chosen !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: askEveryMs,
    networkMode: "always",
    retry: false,
  });
  return {
    ...{ choices, chosen, app, limit, error, pick },
    span: url.span,
    reply: data,
    isBehind: isPlaceholderData || asked !== limit,
    choose: (find) => change({ find }),
    look: (span) => change({ span }),
    move: (to) => key !== undefined && setLine({ key, limit: to }),
    ask: () => void refetch(),
  };
}

/** The value once it has stood for a moment. */
function useSettled(value: number): number {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
