import { sayLevels } from "../enforce/policy/words.ts";
import type { Customer } from "../manage/customers/read.ts";
import { isoOrNull, until } from "./moment.ts";
import { printable } from "./terminal.ts";

/** Sentence about the levels that are in force for a customer. */
export function sayInForce(customer: Customer, now: number): string {
  const { tier, override, levels, from, session, shared } = customer;
  if (!levels)
    return "No levels of its own and no tier of the policy. Limits for anonymous clients count it by its ID.";
  const says = sayLevels(levels);
  if (override) return `In force: ${says}, its own levels, ${until(override.expiresAt, now)}.`;
  if (shared) {
    const ofTier = shared.tier === undefined ? "" : `, those of tier ${shared.tier},`;
    return `In force: ${says}${ofTier} by ${from} ${shared.name}.`;
  }
  if (from === "session-limits") return `In force: ${says}, those that the app's session gave.`;
  if (from === "session-tier")
    return `In force: ${says}, those of tier ${session?.tier}, from the app's session.`;
  if (from === "default-tier") return `In force: ${says}, those of the policy's default tier.`;
  return `In force: ${says}, those of tier ${tier?.name}.`;
}

/** ", until 2026-05-09 10:00 UTC (30h), then pro". Empty for a tier without an end. */
export function sayTierEnd({ tier }: Customer, now: number): string {
  if (!tier || tier.expiresAt === null) return "";
  return `, ${until(tier.expiresAt, now)}, then ${tier.back ?? "no tier"}`;
}

/** Sentence about a suspension. Empty for a customer that is not suspended. */
export function saySuspension({ suspension }: Customer, now: number): string[] {
  if (!suspension) return [];
  return [`SUSPENDED: requests get 403, ${until(suspension.expiresAt, now)}, ${sayNote(suspension)}.`];
}

/** Author, time and reason, as far as they are known. */
export function sayNote({ note }: Pick<NonNullable<Customer["override"]>, "note">): string {
  const by = note.by === undefined ? "an unknown author" : note.by;
  const at = note.at === undefined ? "" : ` at ${note.at}`;
  return `by ${by}${at}${note.reason === "" ? "" : ` (${note.reason})`}`;
}

export function customerRow(customer: Customer, now: number): string[] {
  const { id, tier, override, suspension, flags } = customer;
  const own = override ? `${sayLevels(override.levels)}, ${until(override.expiresAt, now)}` : "-";
  const notEnforced = flags.length > 0 ? ` NOT ENFORCED: ${flags.join("; ")}` : "";
  const suspended = suspension ? ` SUSPENDED, ${until(suspension.expiresAt, now)}` : "";
  return [
    id,
    tier ? `${tier.name}${sayTierEnd(customer, now)}` : "-",
    printable(`${own}${suspended}${notEnforced}`),
  ];
}

export function customerToJson(customer: Customer) {
  const { id, tier, override, suspension, levels, from, shared, session, flags } = customer;
  return {
    id,
    tier: tier ? { ...tier, expiresAt: isoOrNull(tier.expiresAt) } : null,
    override: override ? { ...override, expiresAt: isoOrNull(override.expiresAt) } : null,
    suspension: suspension ? { ...suspension, expiresAt: isoOrNull(suspension.expiresAt) } : null,
    levels: levels ?? null,
    from: from ?? null,
    shared: shared ?? null,
    session: session ? { ...session, at: new Date(session.at).toISOString() } : null,
    flags,
  };
}
