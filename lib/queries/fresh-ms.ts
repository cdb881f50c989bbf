interface Fetched {
  readonly state: { readonly data: unknown; readonly dataUpdateCount: number };
}

const polledMs = 1_000;
/** The time in which a page arrives and starts. Polls begin then. */
const arrivingMs = 30_000;

/** For how long data is fresh. Data that came with the page is not fetched again before the first poll. */
export function freshMs({ state: { data, dataUpdateCount } }: Fetched): number {
  return data !== undefined && dataUpdateCount === 0 ? arrivingMs : polledMs;
}
