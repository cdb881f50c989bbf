interface Waiting<T> {
  readonly address: string;
  resolve(found: T): void;
  reject(error: unknown): void;
}

/** Addresses that rows ask for within this time are one request, in ms. */
const togetherMs = 20;

/**
 * A read of one address that is sent together with those of other rows.
 * @param most addresses of one request
 * @param readAll answers in the order of the addresses
 */
export function readTogether<T>(
  most: number,
  readAll: (addresses: readonly string[]) => Promise<readonly T[]>,
): (address: string) => Promise<T> {
  let waiting: Waiting<T>[] = [];
  const readSome = async (some: readonly Waiting<T>[]) => {
    try {
      const found = await readAll(some.map(({ address }) => address));
      for (const [i, { resolve, reject }] of some.entries()) {
        const one = found[i];
        if (one === undefined) reject(new Error("The console answered for fewer addresses."));
        else resolve(one);
      }
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  };
  const send = () => {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += most) void readSome(all.slice(from, from + most));
  };
  return (address) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(send, togetherMs);
      waiting.push({ address, resolve, reject });
    });
}
