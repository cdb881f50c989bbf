/**
 * What is asked of a memcached client that an app brings along. Keys are printable ASCII of at most 250 bytes. A command may
 * be sent once only: a client that repeats what went unanswered counts twice.
 *
 * @example
 * // memjs, for costs and limits below 2³²; one retry means one attempt.
 * const client = Client.create("10.0.0.5:11211", { retries: 1 });
 * const unlessMissing = (error: Error) => {
 *   if (!/not found/i.test(error.message)) throw error;
 *   return { value: null };
 * };
 * // This expiry means: do not make a key that is not there.
 * const options = { expires: 0xffffffff };
 * const source: Memcached = {
 *   incr: async (key, by) => (await client.increment(key, by, options).catch(unlessMissing)).value ?? undefined,
 *   decr: async (key, by) => (await client.decrement(key, by, options).catch(unlessMissing)).value ?? undefined,
 *   add: (key, value, expiry) => client.add(key, value, { expires: expiry }),
 *   get: async (key) => (await client.get(key)).value?.toString(),
 * };
 */
export interface Memcached {
  /** What the counter holds then; nothing if there is none. Rejects with "… non-numeric …" if it is no number. */
  incr(key: string, by: number): Promise<number | undefined>;
  decr(key: string, by: number): Promise<number | undefined>;
  /**
   * Whether there was none before.
   * @param expiry as memcached reads it: seconds, and what is more than 30 days is a moment of Unix time
   */
  add(key: string, value: string, expiry: number): Promise<boolean>;
  get(key: string): Promise<string | undefined>;
}
