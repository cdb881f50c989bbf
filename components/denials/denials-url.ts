import type { DenialParameters } from "@/lib/queries/denials.ts";

const fields = ["client", "customer", "rule", "app", "path", "from", "to"] as const;
const outcomes = ["blocked", "throttled"] as const;

/** The filter in the address bar. */
export function readDenialsUrl(search: Pick<URLSearchParams, "get">): DenialParameters {
  const given = fields.flatMap((name) => {
    const text = search.get(name)?.trim().slice(0, 200);
    return text ? [[name, text] as const] : [];
  });
  const outcome = outcomes.find((one) => one === search.get("outcome"));
  return { ...Object.fromEntries(given), ...(outcome && { outcome }) };
}

/** Begins with "?", unless nothing is filtered. */
export function writeDenialsUrl(wanted: DenialParameters): string {
  const set = Object.entries(wanted).filter(([, value]) => value !== undefined && value !== "");
  return set.length === 0 ? "" : `?${new URLSearchParams(set)}`;
}

export const denialsKey = (search: string) => ["denials", "pages", search];
