import { sayLevels } from "../enforce/policy/words.ts";
import type { Customer } from "../manage/customers/read.ts";
import { isoOrNull, until } from "./moment.ts";
import { printable } from "./terminal.ts";

/** Sentence about the levels that are in force for a customer. */
export function sayInForce({ tier, override, levels, from, session }: Customer, now: number): string {
  if (!levels)
    return "No levels of its own and no tier of the policy. Limits for anonymous clients count it by its ID.";
  const says = sayLevels(levels);
  if (override) return `In force: ${says}, its own levels, ${until(override.expiresAt, now)}.`;
  if (from === "session-limits") return `In force: ${says}, those that the app's session gave.`;
  if (from === "session-tier")
    return `In force: ${says}, those of tier ${session?.tier}, from the app's session.`;
  if (from === "default-tier") return `In force: ${says}, those of the policy's default tier.`;
  return `In force: ${says}, those of tier ${tier?.name}.`;
}

/** Author, time and reason of an override, as far as they are known. */
export function sayNote({ note }: NonNullable<Customer["override"]>): string {
  const by = note.by === undefined ? "an unknown author" : note.by;
  const at = note.at === undefined ? "" : ` at ${note.at}`;
  return `by ${by}${at}${note.reason === "" ? "" : ` (${note.reason})`}`;
}

export function customerRow({ id, tier, override, flags }: Customer, now: number): string[] {
  const own = override ? `${sayLevels(override.levels)}, ${until(override.expiresAt, now)}` : "-";
  const notEnforced = flags.length > 0 ? ` NOT ENFORCED: ${flags.join("; ")}` : "";
  return [id, tier ? tier.name : "-", printable(`${own}${notEnforced}`)];
}

export function customerToJson({ id, tier, override, levels, from, session, flags }: Customer) {
  return {
    id,
    tier: tier ? { ...tier, expiresAt: isoOrNull(tier.expiresAt) } : null,
    override: override ? { ...override, expiresAt: isoOrNull(override.expiresAt) } : null,
    levels: levels ?? null,
    from: from ?? null,
    session: session ? { ...session, at: new Date(session.at).toISOString() } : null,
    flags,
  };
}
