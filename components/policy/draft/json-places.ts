import { type JSONPath, visit } from "jsonc-parser";
import { pathText } from "./document.ts";

/** Place of each field of a JSON text, by the path that problems name. Text that is not JSON is read up to its error. */
export function placesIn(
  text: string,
): ReadonlyMap<string, { readonly offset: number; readonly line: number }> {
  const places = new Map<string, { offset: number; line: number }>();
  const add = (offset: number, _: number, line: number, __: number, pathOf: () => JSONPath) =>
    void places.set(pathText(pathOf()), { offset, line: line + 1 });
  visit(text, {
    onObjectBegin: add,
    onArrayBegin: add,
    onLiteralValue: (_, ...place) => add(...place),
  });
  return places;
}
