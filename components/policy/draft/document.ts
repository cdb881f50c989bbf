/** Place of a value in a policy: `["rules", 0, "levels", 0, "limit"]`. */
export type Path = readonly (string | number)[];

type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Undefined if there is no such place. */
export function valueAt(value: unknown, [part, ...rest]: Path): unknown {
  if (part === undefined) return value;
  if (typeof part === "number") return valueAt(itemsOf(value)[part], rest);
  return isFields(value) && Object.hasOwn(value, part) ? valueAt(value[part], rest) : undefined;
}

/** Copy with one place changed. `undefined` removes it. */
export function withValue(value: unknown, [part, ...rest]: Path, next: unknown): unknown {
  if (part === undefined) return next;
  const inner = withValue(valueAt(value, [part]), rest, next);
  if (typeof part === "number") {
    const items = itemsOf(value);
    if (inner === undefined) return items.filter((_, i) => i !== part);
    return part < items.length ? items.with(part, inner) : [...items, inner];
  }
  const fields = isFields(value) ? value : {};
  if (inner !== undefined) return { ...fields, [part]: inner };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== part));
}

/** Path as problems name it: `rules[0].levels[0].limit`. */
export function pathText(path: Path): string {
  return path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text === "" ? part : `${text}.${part}`),
    "",
  );
}
