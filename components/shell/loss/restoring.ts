/** Result of one call. */
export interface RestoredPart {
  readonly change: number | null;
  readonly done: number;
  /** First hundred skipped entries, and why. */
  readonly skipped: readonly { readonly address: string; readonly message: string }[];
  readonly skippedCount: number;
  /** Number of entries still to restore. The caller repeats the call until it is 0. */
  readonly left: number;
}

/** Progress of all calls. */
export interface Restoring extends RestoredPart {
  readonly isUnderWay: boolean;
  /** Why it stopped. */
  readonly problem?: string;
}

export function added(sum: Restoring, part: RestoredPart): Restoring {
  const { problem: _, ...rest } = sum;
  return {
    ...rest,
    change: part.change ?? sum.change,
    done: sum.done + part.done,
    skipped: [...sum.skipped, ...part.skipped].slice(0, 100),
    skippedCount: sum.skippedCount + part.skippedCount,
    left: part.left,
  };
}
