import { parseAddress } from "@/lib/ip/parse.ts";

/** What is typed as a range, judged while it is typed. */
type TypedRange =
  | { readonly kind: "empty" }
  | { readonly kind: "range"; readonly range: string }
  | { readonly kind: "wrong"; readonly says: string; readonly suggestion?: string };

/** @param protects the ranges that are protected already */
export function readTypedRange(text: string, protects: readonly string[]): TypedRange {
  if (text.trim() === "") return { kind: "empty" };
  const parsed = parseAddress(text);
  if (!parsed.ok) {
    const { reason, suggestion } = parsed;
    return { kind: "wrong", says: `${reason}.`, ...(suggestion && { suggestion }) };
  }
  const range = parsed.value;
  if (protects.includes(range)) return { kind: "wrong", says: `${range} is already protected.` };
  return { kind: "range", range };
}
