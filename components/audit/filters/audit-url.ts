import type { AuditFilter } from "@/lib/queries/audit.ts";

/** Filters in the address of the page. */
export interface AuditUrl {
  readonly text: string;
  readonly target: string;
  readonly actor: string;
  /** How the action begins; "" for all. */
  readonly action: string;
  /** "" for any source. */
  readonly via: string;
  readonly period: Period;
  /** Days in UTC, of the period "days"; "" for open ends. */
  readonly from: string;
  readonly to: string;
  /** Number of the record that the log begins with; "" for the newest. */
  readonly record: string;
}

/** Changes a part of the filters. Text that is being typed adds no step to the history. */
export type ChangeUrl = (part: Partial<AuditUrl>, isTyped?: boolean) => void;

/** Props of what shows or changes the filters. */
export interface FilterProps {
  readonly url: AuditUrl;
  readonly onChange: ChangeUrl;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const spans = { "1h": hourMs, "24h": dayMs, "7d": 7 * dayMs, "30d": 30 * dayMs } as const;

export type Period = "all" | "days" | keyof typeof spans;
export const periods: readonly Period[] = ["all", "1h", "24h", "7d", "30d", "days"];

export const everything: AuditUrl = {
  ...{ text: "", target: "", actor: "", action: "", via: "" },
  ...{ period: "all", from: "", to: "", record: "" },
};

const words = ["text", "target", "actor", "action", "via"] as const;
const longest = 200;

interface Search {
  get(name: string): string | null;
}

export function readAuditUrl(search: Search): AuditUrl {
  const word = (name: string) => (search.get(name) ?? "").slice(0, longest);
  const period = periods.find((one) => one === search.get("period")) ?? "all";
  const isDays = period === "days";
  return {
    ...{ text: word("text"), target: word("target"), actor: word("actor"), action: word("action") },
    ...{ via: word("via"), period },
    from: isDays ? readDay(search.get("from")) : "",
    to: isDays ? readDay(search.get("to")) : "",
    record: /^[1-9]\d{0,14}$/.exec(search.get("record") ?? "")?.[0] ?? "",
  };
}

/** Cursor of the log's first page. Undefined for the newest record. */
export function firstCursor({ record }: AuditUrl): string | undefined {
  return record === "" ? undefined : `${Number(record) + 1}-0`;
}

/** Only what is set, always in the same order: the same view has one address. */
export function writeAuditUrl(url: AuditUrl): string {
  const period = url.period === "all" ? "" : url.period;
  const days = url.period === "days" ? { from: url.from, to: url.to } : {};
  const told = {
    ...Object.fromEntries(words.map((name) => [name, url[name]])),
    ...{ period, ...days, record: url.record },
  };
  const set = Object.entries(told).filter(([, value]) => value !== "");
  return set.length > 0 ? `?${new URLSearchParams(set)}` : "";
}

/** How many filters are set. */
export function filterCount(url: AuditUrl): number {
  return words.filter((name) => url[name].trim() !== "").length + (url.period === "all" ? 0 : 1);
}

/** What that looks for now. */
export function filterAt(url: AuditUrl, now: number): AuditFilter {
  const said = words.map((name) => [name, url[name].trim()] as const).filter(([, value]) => value !== "");
  return { ...Object.fromEntries(said), ...periodAt(url, now) };
}

function periodAt({ period, from, to }: AuditUrl, now: number): Pick<AuditFilter, "from" | "to"> {
  if (period === "all") return {};
  if (period !== "days") return { from: new Date(now - spans[period]).toISOString() };
  return {
    ...(from && { from: `${from}T00:00:00.000Z` }),
    ...(to && { to: `${to}T23:59:59.999Z` }),
  };
}

function readDay(text: string | null): string {
  const isDay =
    text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
  return isDay ? text : "";
}
