import type { Cidr, Ip } from "../ip/parse.ts";
import type { ListName } from "../redis/keys.ts";
import { type Refused, refuse, refuseLife } from "./add.ts";
import { type Changed, changeEntries } from "./change.ts";
import type { Context } from "./context.ts";
import { endOf, isLater, type Life } from "./life.ts";

export interface ExtendInput {
  readonly list: ListName;
  readonly addresses: readonly (Ip | Cidr)[];
  /** `forMs` is added to what is left. */
  readonly life: Life;
  readonly reason: string;
}

export type ExtendOutcome =
  | { readonly address: Ip | Cidr; readonly outcome: "extended" | "kept"; readonly expiresAt: number | null }
  | { readonly address: Ip | Cidr; readonly outcome: "absent" }
  | Refused;

/** Lets entries live longer, never shorter; what they say stays. */
export async function extendEntries(ctx: Context, input: ExtendInput): Promise<Changed<ExtendOutcome>> {
  const { list, addresses, life, reason } = input;
  return changeEntries<ExtendOutcome>(ctx, {
    ...{ verb: "extend", list, addresses, reason },
    looksAt: list === "blocklist" ? ["safelist"] : [],
    decide(address, found, scene) {
      if (found.kind === "none") return { outcome: { address, outcome: "absent" } };
      // Whoever wrote the entry has confirmed its width.
      const refused = refuse(list, address, found, scene, true);
      if (refused) return { outcome: refused };
      const expiresAt = endOf(life, found.expiresAt ?? scene.now);
      if (!isLater(expiresAt, found.expiresAt)) {
        return { outcome: { address, outcome: "kept", expiresAt: found.expiresAt } };
      }
      const tooLong = refuseLife(address, expiresAt, scene.now);
      if (tooLong) return { outcome: tooLong };
      return { outcome: { address, outcome: "extended", expiresAt }, to: { value: found.value, expiresAt } };
    },
  });
}
