import { formatDuration, staffLimit } from "../../enforce/lists/entry.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import type { ListName } from "../../redis/keys.ts";
import { type RefusedEntry, refuse, refuseLife } from "./admission.ts";
import { type ChangeResult, changeEntries, type ListContext } from "./change-entries.ts";
import { endOf, isLater, type Life } from "./life.ts";

export interface ExtendInput {
  readonly list: ListName;
  readonly addresses: readonly (Ip | Cidr)[];
  /** `forMs` is added to what is left. */
  readonly life: Life;
  readonly reason: string;
  /** The latest end from now that the actor may choose, in ms; without it, any. */
  readonly longestMs?: number | undefined;
}

export type ExtendOutcome =
  | { readonly address: Ip | Cidr; readonly outcome: "extended" | "kept"; readonly expiresAt: number | null }
  | { readonly address: Ip | Cidr; readonly outcome: "absent" }
  | RefusedEntry;

/** Extends entries, never shortens them. Their notes stay. */
export async function extendEntries(
  ctx: ListContext,
  input: ExtendInput,
): Promise<ChangeResult<ExtendOutcome>> {
  const { list, addresses, life, reason, longestMs } = input;
  return changeEntries<ExtendOutcome>(ctx, {
    ...{ verb: "extend", list, addresses, reason },
    looksAt: list === "blocklist" ? ["safelist"] : [],
    decide(address, found, circumstances) {
      const { now } = circumstances;
      if (found.kind === "none") return { outcome: { address, outcome: "absent" } };
      // The width was confirmed when the entry was added.
      const refused = refuse(address, found, circumstances, true);
      if (refused) return { outcome: refused };
      const expiresAt = endOf(life, found.expiresAt ?? now);
      if (!isLater(expiresAt, found.expiresAt)) {
        return { outcome: { address, outcome: "kept", expiresAt: found.expiresAt } };
      }
      const tooLong = refuseLife(address, expiresAt, now) ?? refuseBeyond(address, expiresAt, now, longestMs);
      if (tooLong) return { outcome: tooLong };
      return { outcome: { address, outcome: "extended", expiresAt }, to: { value: found.value, expiresAt } };
    },
  });
}

/** Without this limit, extending an entry repeatedly would reach any life. */
function refuseBeyond(
  address: Ip | Cidr,
  expiresAt: number | null,
  now: number,
  longestMs: number | undefined,
): RefusedEntry | undefined {
  if (longestMs === undefined || !isLater(expiresAt, now + longestMs)) return undefined;
  const message = `${address} would expire later than ${formatDuration(longestMs)} from now. ${staffLimit}.`;
  return { address, outcome: "refused", code: "not-allowed", message };
}
