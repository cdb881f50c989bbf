/** The item at an index that the caller knows to exist. Throws if it does not: a default in its place would hide a bug. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`No item at index ${index} of ${items.length}.`);
  return item;
}

/** The value of a key that the caller knows to be in the map. Throws if it is not, as `at` does. */
export function valueAt<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`The map has no key ${String(key)}.`);
  return value;
}

/** A `Map`, or a `WeakMap`. */
interface Kept<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of a key. The first caller for the key makes it. */
export function madeOnce<K, V>(map: Kept<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
