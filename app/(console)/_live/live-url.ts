import { type RangeName, rangeNames } from "../../../lib/queries/overview.ts";

/** What is looked at, as the address of the page says. */
export interface LiveView {
  readonly range: RangeName;
  readonly app: string | undefined;
}

export function readLiveView(parameters: URLSearchParams): LiveView {
  const range = rangeNames.find((name) => name === parameters.get("range")) ?? "15m";
  return { range, app: parameters.get("app") || undefined };
}

/** What is usual is left out. */
export function writeLiveView({ range, app }: LiveView): string {
  const parameters = new URLSearchParams();
  if (range !== "15m") parameters.set("range", range);
  if (app !== undefined) parameters.set("app", app);
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}
