import type { Customer } from "../customers/read.ts";
import { sayLevels } from "../policy/words.ts";
import { isoOrNull, until } from "./moment.ts";
import { printable } from "./printable.ts";

/** Which levels count for a customer now, in a sentence. */
export function sayInForce({ tier, override, levels }: Customer, now: number): string {
  if (!levels) return "It has no levels of its own and no tier of the policy: it counts as anonymous.";
  const says = sayLevels(levels);
  if (override) return `In force: ${says}, its own levels, ${until(override.expiresAt, now)}.`;
  return `In force: ${says}, those of tier ${tier?.name}.`;
}

/** By whom, when and why, as far as it is known. */
export function sayNote({ note }: NonNullable<Customer["override"]>): string {
  const by = note.by === undefined ? "somebody who left no note" : note.by;
  const at = note.at === undefined ? "" : ` at ${note.at}`;
  return `by ${by}${at}${note.reason === "" ? "" : ` (${note.reason})`}`;
}

export function customerRow({ id, tier, override, flags }: Customer, now: number): string[] {
  const own = override ? `${sayLevels(override.levels)}, ${until(override.expiresAt, now)}` : "-";
  const notObeyed = flags.length > 0 ? ` NOT OBEYED: ${flags.join("; ")}` : "";
  return [id, tier ? tier.name : "-", printable(`${own}${notObeyed}`)];
}

export function customerToJson({ id, tier, override, levels, flags }: Customer) {
  return {
    id,
    tier: tier ? { ...tier, expiresAt: isoOrNull(tier.expiresAt) } : null,
    override: override ? { ...override, expiresAt: isoOrNull(override.expiresAt) } : null,
    levels: levels ?? null,
    flags,
  };
}
