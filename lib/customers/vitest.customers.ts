import type { CustomerId } from "../redis/keys.ts";
import { parseCustomerId } from "./id.ts";

/** An id that the test's author knows to be one. */
export function customer(text: string): CustomerId {
  const parsed = parseCustomerId(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}
