import { coverings } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, parseAddress } from "../../ip/parse.ts";
import type { NamedDecision } from "./decision-text.ts";
import { scopeOf } from "./decision-text.ts";

export type DecisionFilter = (decision: NamedDecision) => boolean;

const anyWidth = { 4: 0, 6: 0 } as const;

/** What a bouncer asks for: `scopes`, `origins`, `scenarios_containing`, `scenarios_not_containing`, `scope`, `type`, `value`. */
export function filterOf(query: URLSearchParams): DecisionFilter {
  const scopes = [...namesIn(query, "scopes"), ...namesIn(query, "scope")];
  const types = namesIn(query, "type");
  const origins = namesIn(query, "origins");
  const wanted = namesIn(query, "scenarios_containing");
  const unwanted = namesIn(query, "scenarios_not_containing");
  const value = query.get("value");
  return (decision) => {
    const scenario = decision.scenario.toLowerCase();
    const hasAny = (words: readonly string[]) => words.some((word) => scenario.includes(word));
    return (
      (scopes.length === 0 || scopes.includes(scopeOf(decision.value).toLowerCase())) &&
      (types.length === 0 || types.includes("ban")) &&
      (origins.length === 0 || origins.includes(decision.origin)) &&
      (wanted.length === 0 || hasAny(wanted)) &&
      !hasAny(unwanted) &&
      (value === null || value === decision.value)
    );
  };
}

/** The values that an `ip` or `range` is about. Undefined where none is given; null where it cannot be read. */
export function valuesAround(query: URLSearchParams): readonly (Ip | Cidr)[] | undefined | null {
  const text = query.get("ip") ?? query.get("range");
  if (text === null || text === "") return undefined;
  const parsed = parseAddress(text);
  return parsed.ok ? coverings(blockOf(parsed.value), anyWidth) : null;
}

function namesIn(query: URLSearchParams, name: string): string[] {
  const names = (query.get(name) ?? "").toLowerCase().split(",");
  return names.map((one) => one.trim()).filter((one) => one !== "");
}
