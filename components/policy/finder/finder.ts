"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useSettled } from "@/components/console/use-settled.ts";
import { countText } from "@/components/ui/value-text.ts";
import { kindOf } from "@/lib/enforce/policy/client.ts";
import type { Level } from "@/lib/enforce/policy/levels.ts";
import { bucketSecondsOf, isNarrow, scopeOf } from "@/lib/enforce/policy/match.ts";
import type { Rule } from "@/lib/enforce/policy/schema.ts";
import { sayMatch, saySeconds } from "@/lib/enforce/policy/words.ts";
import { type CountedKind, type RatesReply, rates } from "@/lib/queries/rates.ts";
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
  readonly kind: CountedKind;
  /** Key of what the rule counts. */
  readonly scope: string;
  readonly limit: number;
  readonly periodSeconds: number;
  readonly mode: Rule["mode"];
  /** "POST /login". Undefined for a rule that excludes no request by what it asks for. */
  readonly counts: string | undefined;
  /** Its windows begin with the clock, as those of the finder. */
  readonly isFixed: boolean;
  /** Its addresses are counted with all requests. */
  readonly isBroad: boolean;
  /** Limits are in the unit of the cost. */
  readonly hasCost: boolean;
}

/** Levels of rules that have a limit per period. Those of tiers are on the page of each customer. */
export function findableIn(policy: FormPolicy): Findable[] {
  return policy.rules.flatMap((form, place) => {
    const rule = ruleIn(policy, form);
    const scope = rule && scopeOf(rule);
    if (!rule || !scope) return [];
    const { name, mode, match, algorithm, cost } = rule;
    const facts = { isFixed: algorithm === "fixed", hasCost: cost !== 1, isBroad: scope.isBroad };
    const counts = isNarrow(match) ? sayRequests(match) : undefined;
    // Of a day or month of the calendar, the finder knows no windows.
    return windowLevels(rule).flatMap(({ limit, periodSeconds, period }, i) =>
      period
        ? []
        : {
            ...{ limit, periodSeconds, ...facts, rule: name, place, level: i, mode, counts },
            ...{ kind: kindOf(rule.client, scope.isAnonymous), scope: scope.key },
          },
    );
  });
}

/** "POST /login, /session" */
function sayRequests(match: Rule["match"]): string {
  const { only, methods, except, serverAction, apps, exceptApps } = match;
  const isSimple = (only || methods) && !except && !serverAction && !apps && !exceptApps;
  if (!isSimple) return `requests that match: ${sayMatch(match)}`;
  return [methods?.join(" and "), only?.join(", ") ?? "requests"].filter(Boolean).join(" ");
}

/** A rule in force counts the same requests by the same client. */
export function isCountedNow(policy: FormPolicy, scope: string): boolean {
  return policy.mode !== "off" && findableIn(policy).some((one) => one.scope === scope && one.mode !== "off");
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
  const next = inserted(policy, { kind: "rules", place: place + 1 }, copy);
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

/** Windows shorter than a minute are kept for the last hour alone. */
export function saySpan(span: "1h" | "24h", { periodSeconds }: Pick<Findable, "periodSeconds">): string {
  return span === "1h" || bucketSecondsOf(periodSeconds) === 10 ? "hour" : "24 hours";
}

/** Why the rule could throttle others than the finder says, a sentence each. */
export function differencesOf(
  { periodSeconds, isFixed }: Pick<Findable, "periodSeconds" | "isFixed">,
  span: "1h" | "24h",
  reply: Pick<RatesReply, "windowSeconds" | "minutes" | "knownMinutes" | "isCut" | "customersMayMiss">,
): string[] {
  const { windowSeconds, minutes, knownMinutes, isCut, customersMayMiss } = reply;
  const isShort = span === "24h" && bucketSecondsOf(periodSeconds) === 10;
  return [
    isShort && "Windows shorter than 1 min are kept for 1 h, so this is the last hour.",
    // The running minute may be new.
    knownMinutes < minutes - 1 &&
      `Nodes counted this rule in ${countText(knownMinutes)} of ${countText(minutes)} minutes: more clients may be over the limit.`,
    windowSeconds !== periodSeconds &&
      `Nodes report in steps of ${windowSeconds % 60 === 0 ? "1 min" : "10 s"}, so each window counts as ${saySeconds(windowSeconds)}.`,
    !isFixed &&
      "Windows are counted from the clock. This rule's windows are not, so it can also throttle a client whose burst crosses the end of one.",
    isCut && "In busy moments only the busiest clients are kept: more clients may be over the limit.",
    customersMayMiss &&
      "Nodes did not report the customers of all addresses in this time: more customers may be over the limit.",
  ].filter((sentence) => sentence !== false);
}

const askEveryMs = 30_000;
const pauseMs = 200;

export type Finder = ReturnType<typeof useFinder>;

/** State of the finder: the rule, the time span, and the limit at the line. */
export function useFinder({ draft }: PolicyEditor) {
  const [url, change] = usePolicyUrl();
  const [line, setLine] = useState<{ key: string; limit: number }>();
  const choices = useMemo(() => findableIn(draft.policy), [draft.policy]);
  const chosen = choices.find((one) => findKey(one) === url.find) ?? choices[0];
  const key = chosen && findKey(chosen);
  const limit = line && line.key === key ? line.limit : Math.max(1, chosen?.limit ?? 1);
  const asked = useSettled(limit, pauseMs);
  const read = useQuery({
    ...rates({
      scope: chosen?.scope ?? "0".repeat(16),
      kind: chosen?.kind ?? "ip",
      periodSeconds: Math.min(86_400, chosen?.periodSeconds ?? 60),
      span: url.span,
      limit: asked,
    }),
    enabled: chosen !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: askEveryMs,
    networkMode: "always",
    retry: false,
  });
  return {
    ...{ choices, chosen, read },
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
