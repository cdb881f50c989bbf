import type { Cidr, Ip } from "../../ip/parse.ts";
import type { ListName } from "../../redis/keys.ts";
import { type RefusedEntry, refuse, refuseLife } from "./admission.ts";
import { type ChangeResult, changeEntries, type ListContext } from "./change-entries.ts";
import { endOf, isLater, type Life } from "./life.ts";

export interface SetExpiryInput {
  readonly list: ListName;
  readonly addresses: readonly (Ip | Cidr)[];
  /** Counted from now, not added to what is left. */
  readonly life: Life;
  readonly reason: string;
}

export type SetExpiryOutcome =
  | {
      readonly address: Ip | Cidr;
      readonly outcome: "extended" | "shortened" | "unchanged";
      readonly expiresAt: number | null;
      readonly message?: string;
    }
  | { readonly address: Ip | Cidr; readonly outcome: "absent" }
  | RefusedEntry;

/** Sets when entries expire, earlier or later than before. Their notes stay. */
export async function setExpiry(
  ctx: ListContext,
  { list, addresses, life, reason }: SetExpiryInput,
): Promise<ChangeResult<SetExpiryOutcome>> {
  return changeEntries<SetExpiryOutcome>(ctx, {
    ...{ verb: "extend", list, addresses, reason },
    looksAt: list === "blocklist" ? ["safelist"] : [],
    decide(address, found, circumstances) {
      const { now } = circumstances;
      if (found.kind === "none") return { outcome: { address, outcome: "absent" } };
      const expiresAt = endOf(life, now);
      // The width was confirmed when the entry was added.
      const refused = refuse(address, found, circumstances, true) ?? refuseLife(address, expiresAt, now);
      if (refused) return { outcome: refused };
      const to = { value: found.value, expiresAt };
      if (isLater(expiresAt, found.expiresAt))
        return { outcome: { address, outcome: "extended", expiresAt }, to };
      if (isLater(found.expiresAt, expiresAt))
        return { outcome: { address, outcome: "shortened", expiresAt }, to };
      const message = `${address} expires at that time already.`;
      return { outcome: { address, outcome: "unchanged", expiresAt, message } };
    },
  });
}
