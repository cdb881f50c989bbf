import { type RangeName, rangeNames } from "@/lib/queries/overview.ts";

/** Shown data, as in the page's URL. */
export interface LiveView {
  readonly range: RangeName;
  readonly app: string | undefined;
  /** Part of the period, in ms. */
  readonly zoom?: { readonly from: number; readonly until: number } | undefined;
}

const secondsOf: Readonly<Record<RangeName, number>> = {
  "15m": 900,
  "1h": 3_600,
  "24h": 86_400,
  "7d": 604_800,
};
/** The next period is used this long before a zoom's start leaves the shorter one. */
const spareMs = 15_000;

/** All of a period, in ms. */
export function spanOf(range: RangeName, until: number): { from: number; until: number } {
  return { from: until - secondsOf[range] * 1_000, until };
}

/** The period to read. For a zoom, the shortest that contains its start, because it has the most points. */
export function rangeShown({ range, zoom }: Pick<LiveView, "range" | "zoom">, now: number): RangeName {
  if (!zoom) return range;
  return rangeNames.find((name) => spanOf(name, now).from + spareMs <= zoom.from) ?? "7d";
}

export function readLiveView(parameters: Pick<URLSearchParams, "get">): LiveView {
  const range = rangeNames.find((name) => name === parameters.get("range")) ?? "15m";
  return { range, app: parameters.get("app") || undefined, zoom: readZoom(parameters.get("zoom") ?? "") };
}

/** `1763497740-1763498220`, in seconds. */
function readZoom(text: string): LiveView["zoom"] {
  const [, from, until] = /^(\d{1,10})-(\d{1,10})$/.exec(text) ?? [];
  const isSpan = from !== undefined && until !== undefined && Number(from) < Number(until);
  return isSpan ? { from: Number(from) * 1_000, until: Number(until) * 1_000 } : undefined;
}

/** Leaves out defaults. */
export function writeLiveView({ range, app, zoom }: LiveView): string {
  const parameters = new URLSearchParams();
  if (range !== "15m") parameters.set("range", range);
  if (app !== undefined) parameters.set("app", app);
  if (zoom) parameters.set("zoom", `${Math.floor(zoom.from / 1_000)}-${Math.ceil(zoom.until / 1_000)}`);
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}
