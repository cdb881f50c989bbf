import { createHash } from "node:crypto";
import { DomainError } from "../../errors.ts";
import type { Holding } from "../../redis/snapshot.ts";
import type { SlotWrite } from "../audit/commit.ts";

/** What an editor saw of a customer: a digest of its keys, and where the audit log ended then. */
export interface CustomerBasis {
  readonly digest: string;
  /** The editor has not seen changes of the customer after this record. */
  readonly record: number;
}

/** @param held the customer's slots, as `slotsOf` names them */
export function basisOf(held: readonly Holding[], record: number): CustomerBasis {
  // An expiry moves by a few ms from one reading to the next: only whether there is one counts.
  const text = held
    // What follows the tier counts where there is something: versions without it agree on the others.
    .filter(({ kind }, slot) => slot < 3 || kind !== "none")
    .map(({ kind, digest, expiresAt }) => `${kind} ${digest} ${expiresAt !== null}`)
    .join("\n");
  return { digest: sha1(text).slice(0, 16), record };
}

/** For the way to the browser and back. */
export const writeBasis = ({ digest, record }: CustomerBasis): string => `${digest}-${record}`;

export function readBasis(text: string): CustomerBasis {
  const [, digest, record] = /^([0-9a-f]{16})-(\d{1,15})$/.exec(text) ?? [];
  if (digest !== undefined && record !== undefined) return { digest, record: Number(record) };
  throw new DomainError("bad-input", "This page's version of the customer cannot be read. Reload the page.", {
    basedOn: "as the page received it",
  });
}

/** What the slots hold after these writes. */
export function afterWriting(
  held: readonly Holding[],
  writes: readonly SlotWrite[],
  isHash: (slot: number) => boolean,
): Holding[] {
  return held.map((was, slot) => {
    const write = writes.find((one) => one.slot === slot);
    if (!write) return was;
    if (!write.to) return { kind: "none", value: "", digest: "", expiresAt: null };
    const { value, expiresAt } = write.to;
    return isHash(slot)
      ? { kind: "hash", value, digest: sha1(hashText(value)), expiresAt }
      : { kind: "string", value, digest: sha1(value), expiresAt };
  });
}

/** The text that lua/parts/hash-text.lua makes of a hash, from the JSON of its fields. */
function hashText(value: string): string {
  const fields: Record<string, string> = JSON.parse(value);
  const parts = Object.entries(fields).map((pair) => pair.map((text) => JSON.stringify(text)).join(":"));
  return `{${parts.sort().join()}}`;
}

function sha1(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}
