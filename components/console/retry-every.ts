const retryEveryMs = 5_000;

/** `refetchInterval` of a read that is not polled: a failed one is retried until it has an answer. */
export const retryEvery = ({ state }: { state: { status: string } }): number | false =>
  state.status === "error" ? retryEveryMs : false;
