import type { Actor } from "../audit/record.ts";
import { DomainError } from "../errors.ts";

/** Nobody takes their own rights away by a slip. From the host, another name acts. */
export function refuseOwn({ name }: Actor, email: string, says: string): void {
  if (name === email) throw new DomainError("locks-the-house", says);
}
