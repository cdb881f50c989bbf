import { type RangeName, rangeNames } from "@/lib/queries/overview.ts";

/** Shown data, as in the page's URL. */
export interface LiveView {
  readonly range: RangeName;
  readonly app: string | undefined;
  /** Part of the period, or any other time that is kept. */
  readonly zoom?: TimeSpan | undefined;
}

/** In ms. */
interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

const secondsOf: Readonly<Record<RangeName, number>> = {
  "15m": 900,
  "1h": 3_600,
  "24h": 86_400,
  "7d": 604_800,
};
/** All that is kept, in seconds. */
const keptSeconds = 691_200;

/** All of a period, in ms. */
function spanOf(range: RangeName, until: number): TimeSpan {
  return { from: until - secondsOf[range] * 1_000, until };
}

/** Everything that a zoom can move in: the period, or for a zoom that begins earlier, all that is kept. */
export function wholeOf({ range, zoom }: Pick<LiveView, "range" | "zoom">, until: number): TimeSpan {
  const whole = spanOf(range, until);
  return !zoom || zoom.from >= whole.from ? whole : { from: until - keptSeconds * 1_000, until };
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

/** Leaves out defaults. @param others parameters of the URL that stay */
export function writeLiveView({ range, app, zoom }: LiveView, others?: URLSearchParams): string {
  const parameters = new URLSearchParams(others);
  for (const name of ["range", "app", "zoom"]) parameters.delete(name);
  if (range !== "15m") parameters.set("range", range);
  if (app !== undefined) parameters.set("app", app);
  if (zoom) parameters.set("zoom", `${Math.floor(zoom.from / 1_000)}-${Math.ceil(zoom.until / 1_000)}`);
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}
