import { createHash } from "node:crypto";
import type { Write } from "../audit/commit.ts";
import type { Holding } from "../audit/snapshot.ts";
import { DomainError } from "../errors.ts";

/** What an editor saw of a customer: how it stood, and where the audit log ended then. */
export interface Basis {
  readonly digest: string;
  /** Whatever the log says of the customer after this record, the editor has not seen. */
  readonly record: number;
}

/** @param held the customer's slots, as `slotsOf` names them */
export function basisOf(held: readonly Holding[], record: number): Basis {
  // An end is told by the note, and moves by a few ms from one reading to the next: only whether there is one counts.
  const text = held
    .map(({ kind, digest, expiresAt }) => `${kind} ${digest} ${expiresAt !== null}`)
    .join("\n");
  return { digest: sha1(text).slice(0, 16), record };
}

/** For the way to the browser and back. */
export const writeBasis = ({ digest, record }: Basis): string => `${digest}-${record}`;

export function readBasis(text: string): Basis {
  const [, digest, record] = /^([0-9a-f]{16})-(\d{1,15})$/.exec(text) ?? [];
  if (digest !== undefined && record !== undefined) return { digest, record: Number(record) };
  throw new DomainError(
    "bad-input",
    "What this change rests on is not told as Sluice tells it. Load the page again.",
    {
      basedOn: "as the page was given it",
    },
  );
}

/** What the slots hold once this is written. */
export function afterWriting(
  held: readonly Holding[],
  writes: readonly Write[],
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

/** As lua/hash-text.lua tells a hash, of which the value is the JSON. */
function hashText(value: string): string {
  const fields: Record<string, string> = JSON.parse(value);
  const parts = Object.entries(fields).map((pair) => pair.map((text) => JSON.stringify(text)).join(":"));
  return `{${parts.sort().join()}}`;
}

function sha1(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}
