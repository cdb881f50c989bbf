"use client";

import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSettled } from "@/components/console/use-settled.ts";
import { hourQuestions, worstEffect } from "@/lib/observe/policy/rate-questions.ts";
import { rates } from "@/lib/queries/rates.ts";
import type { FormPolicy, FormRule } from "../draft/draft.ts";
import { ruleIn } from "../rules/rule-words.ts";

const askEveryMs = 30_000;
const pauseMs = 200;

/** What a rule would have denied in the last hour. */
export type LastHour =
  | { readonly is: "known"; readonly requests: number; readonly clients: number; readonly customers: number }
  /** Asked, or typed a moment ago. */
  | { readonly is: "loading" }
  | { readonly is: "failed" }
  /** Nodes have not counted what it counts. */
  | { readonly is: "not counted" }
  /** It is in shadow or off, has problems, or no windows to compare with. */
  | { readonly is: "not asked" };

/** The effect of each attack rule on the requests of the last hour, in their order. */
export function useLastHours(policy: FormPolicy, rules: readonly FormRule[]): readonly LastHour[] {
  const asked = useMemo(() => rules.map((rule) => questionsOf(policy, rule)), [policy, rules]);
  const text = JSON.stringify(asked);
  const settled = useSettled(text, pauseMs);
  const now = settled === text ? asked : asked.map(() => []);
  return useQueries({
    queries: now.flat().map((question) => ({
      ...rates(question),
      placeholderData: keepPreviousData,
      refetchInterval: askEveryMs,
      networkMode: "always" as const,
      retry: false,
    })),
    combine: (reads) => {
      let from = 0;
      return asked.map((questions): LastHour => {
        if (questions.length === 0) return { is: "not asked" };
        if (settled !== text) return { is: "loading" };
        const own = reads.slice(from, from + questions.length);
        from += questions.length;
        // What was read before an outage is no longer the last hour.
        if (own.some(({ isError }) => isError)) return { is: "failed" };
        const replies = own.flatMap(({ data, isPlaceholderData }) =>
          data && !isPlaceholderData ? [data] : [],
        );
        if (replies.length < own.length) return { is: "loading" };
        const worst = worstEffect(replies);
        return worst ? { is: "known", ...worst } : { is: "not counted" };
      });
    },
  });
}

function questionsOf(policy: FormPolicy, rule: FormRule) {
  const said = ruleIn(policy, rule);
  return said?.mode === "enforce" ? hourQuestions(said) : [];
}
