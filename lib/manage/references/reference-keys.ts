import { randomBytes } from "node:crypto";
import { at } from "../../at.ts";
import {
  parseReferenceKeys,
  type StoredReferenceKey,
  writeReferenceKeys,
} from "../../enforce/references/keys.ts";
import { mostKeyNumbers } from "../../enforce/references/reference.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { checkReason } from "../audit/checks.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";

/** References of a key that was replaced are read this much longer. */
export const readableForMs = 90 * 86_400_000;
const mostKept = 8;

const newKey = (number: number): StoredReferenceKey => ({
  number,
  secret: randomBytes(32).toString("hex"),
  until: null,
});

/** Makes the first key of an installation. Consoles do so at their start; it is no change of any setting, so it has no audit record. */
export async function ensureReferenceKey(redis: Connection): Promise<void> {
  await redis.set(keys.referenceKeys(), writeReferenceKeys([newKey(1)]), "NX");
}

interface KeyRotation {
  readonly reason: string;
  /** References of earlier keys are refused from now on: for a key that others may have. */
  readonly forgetsEarlier?: boolean | undefined;
}

/** Makes a new key. The secret is in Redis alone, and never in the audit log. */
export async function rotateReferenceKey(
  ctx: Signed,
  { reason, forgetsEarlier = false }: KeyRotation,
): Promise<{ readonly number: number; readonly kept: number; readonly change: number | null }> {
  checkReason(reason);
  let made: readonly StoredReferenceKey[] = [];
  const { change } = await commit(ctx, {
    action: "reference-key.rotate",
    reason,
    slots: [{ key: keys.referenceKeys(), target: "reference key", isAside: true }],
    decide({ now, slots }) {
      const all = parseReferenceKeys(at(slots, 0).value ?? null);
      const earlier = forgetsEarlier
        ? []
        : all
            .map((key) => ({ ...key, until: key.until ?? now + readableForMs }))
            .filter(({ until }) => until > now)
            .slice(0, mostKept - 1);
      const last = all[0]?.number ?? 0;
      made = [newKey((last % mostKeyNumbers) + 1), ...earlier];
      return { writes: [{ slot: 0, to: { value: writeReferenceKeys(made), expiresAt: null } }] };
    },
  });
  return { number: at(made, 0).number, kept: made.length - 1, change };
}
