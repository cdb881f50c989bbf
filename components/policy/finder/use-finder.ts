"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useSettled } from "@/components/console/use-settled.ts";
import { rates } from "@/lib/queries/rates.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { usePolicyUrl } from "../policy-url.ts";
import { findableIn, findKey } from "./finder.ts";

const askEveryMs = 30_000;
const pauseMs = 200;

export type Finder = ReturnType<typeof useFinder>;

/** State of the finder: the rule, the time span, and the limit at the line. */
export function useFinder({ draft }: PolicyEditor) {
  const [url, change] = usePolicyUrl();
  const [app, pick] = useState<string>();
  const [line, setLine] = useState<{ key: string; limit: number }>();
  const choices = useMemo(() => findableIn(draft.policy), [draft.policy]);
  const chosen = choices.find((one) => findKey(one) === url.find) ?? choices[0];
  const key = chosen && findKey(chosen);
  const limit = line && line.key === key ? line.limit : (chosen?.limit ?? 1);
  const asked = useSettled(limit, pauseMs);
  const read = useQuery({
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
    ...{ choices, chosen, app, read, pick },
    span: url.span,
    /** Limit at the line. */
    limit,
    /** The answer is for an earlier position of the line. */
    isBehind: read.isPlaceholderData || asked !== limit,
    choose: (find: string) => change({ find }),
    look: (span: "1h" | "24h") => change({ span }),
    move: (to: number) => key !== undefined && setLine({ key, limit: to }),
  };
}
