"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useSettled } from "@/components/console/use-settled.ts";
import type { Level } from "@/lib/enforce/policy/levels.ts";
import { isNarrow } from "@/lib/enforce/policy/match.ts";
import type { Rule } from "@/lib/enforce/policy/schema.ts";
import { type RatesReply, rates } from "@/lib/queries/rates.ts";
import { type FormPolicy, withPlace } from "../draft/draft.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { usePolicyUrl } from "../policy-url.ts";
import { ruleIn } from "../rules/rule-words.ts";
import { freeName, inserted } from "../rules/rules.ts";

/** One level of a rule that the finder supports. */
export interface Findable {
  readonly rule: string;
  readonly place: number;
  readonly level: number;
  readonly kind: "ip" | "customer";
  readonly limit: number;
  readonly periodSeconds: number;
  readonly mode: Rule["mode"];
  /** The rule excludes some requests. The finder counts them anyway. */
  readonly isNarrow: boolean;
}

/** Levels of rules that count by address or customer and have windows. */
export function findableIn(policy: FormPolicy): Findable[] {
  return policy.rules.flatMap((form, place) => {
    const rule = ruleIn(policy, form);
    if (!rule || (rule.client !== "ip" && rule.client !== "customer")) return [];
    const { name, client: kind, mode, match } = rule;
    return windowLevels(rule).map((level, i) => ({
      ...level,
      ...{ rule: name, place, level: i, kind, mode, isNarrow: isNarrow(match) },
    }));
  });
}

function windowLevels({ levels }: Rule): Level[] {
  return levels === "tier" ? [] : levels.flatMap((level) => ("limit" in level ? [level] : []));
}

/** Unique among the levels of all rules. */
export function findKey({ rule, level }: Findable): string {
  return level === 0 ? rule : `${rule}#${level + 1}`;
}

/** The draft with the limit. */
export function withLimit(policy: FormPolicy, { place, level }: Findable, limit: number): FormPolicy {
  return withPlace(policy, ["rules", place, "levels", level, "limit"], limit);
}

/** The limit in shadow: in the rule itself if it denies no client, otherwise in a copy that counts beside it. */
export function tryInShadow(policy: FormPolicy, found: Findable, limit: number) {
  const { place, rule, mode } = found;
  if (mode !== "enforce") {
    const changed = withPlace(withLimit(policy, found, limit), ["rules", place, "mode"], "shadow");
    return { policy: changed, name: rule };
  }
  const wish = `${rule}-try`;
  const tried = policy.rules.findIndex(({ name, mode: of }) => name === wish && of === "shadow");
  if (tried >= 0) return { policy: withLimit(policy, { ...found, place: tried }, limit), name: wish };
  const name = freeName(policy, wish);
  const copy = { ...policy.rules[place], name, mode: "shadow", ban: undefined };
  const next = inserted(policy, place + 1, copy);
  return { policy: withLimit(next, { ...found, place: place + 1 }, limit), name };
}

export interface Hit {
  readonly clients: number;
  readonly customers: number;
}

/** Clients over a limit, without asking the server. Undefined if more clients are over it than are shown. */
export function hitBy({ top, known }: RatesReply, limit: number): Hit | undefined {
  const over = top.filter(({ peak }) => peak > limit);
  if (over.length === top.length && known > top.length) return undefined;
  return { clients: over.length, customers: new Set(over.flatMap(({ customers }) => customers)).size };
}

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
