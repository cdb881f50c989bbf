/** What an action of the app answers. The app hands its actions over, because writing is the app's. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: { readonly message: string } };

/** What one call has written back. */
export interface RestoredPart {
  readonly change: number | null;
  readonly done: number;
  /** The first hundred that were left as they are, and why. */
  readonly skipped: readonly { readonly address: string; readonly message: string }[];
  readonly skippedCount: number;
  /** What is still to be restored: ask again until there is nothing left. */
  readonly left: number;
}

export interface LossActions {
  restore(input: { reason: string }): Promise<Answer<RestoredPart>>;
  dismiss(input: { reason: string }): Promise<Answer<object>>;
}

const noAnswer = "The console does not answer. Try again: what was done already is not done twice.";

export async function answerOf<T>(answer: Promise<Answer<T>>): Promise<Answer<T>> {
  return answer.catch(() => ({ ok: false, error: { message: noAnswer } }));
}
