/** Ms of a time as the API has it. */
export const msOf = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso));

/** "90s", or "never". */
export const durationOf = (ms: number | null): string =>
  ms === null ? "never" : `${Math.max(1, Math.round(ms / 1_000))}s`;

export const untilOf = (untilMs: number | undefined) =>
  untilMs === undefined ? {} : { until: new Date(untilMs).toISOString() };
