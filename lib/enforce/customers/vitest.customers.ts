import type { CustomerId } from "../../redis/keys.ts";
import { parseCustomerId } from "./id.ts";

/** A valid id. */
export function customer(text: string): CustomerId {
  const parsed = parseCustomerId(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}
