import { parseCustomerId } from "../../../../lib/customers/id.ts";
import { DomainError } from "../../../../lib/errors.ts";
import type { CustomerId } from "../../../../lib/redis/keys.ts";

/** The customer that a path names. */
export function customerIn({ id }: { readonly id: string }): CustomerId {
  const parsed = parseCustomerId(decoded(id));
  if (parsed.ok) return parsed.value;
  throw new DomainError("not-found", `${parsed.reason}.`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
