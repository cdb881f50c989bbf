import { covers } from "../ip/block.ts";
import { blockOf, type Cidr, type Ip } from "../ip/parse.ts";
import type { ListName } from "../redis/keys.ts";
import type { Refused } from "./add.ts";
import { type Changed, changeEntries, type Scene } from "./change.ts";
import type { Context } from "./context.ts";

export interface RemoveInput {
  readonly list: ListName;
  readonly addresses: readonly (Ip | Cidr)[];
  readonly reason: string;
}

export type RemoveOutcome =
  | {
      readonly address: Ip | Cidr;
      readonly outcome: "removed" | "absent";
      /** Entries of the same list that go on covering the address. */
      readonly coveredBy: readonly (Ip | Cidr)[];
    }
  | Refused;

/** Takes entries off a list, also what a foreign writer left there that is no entry at all. */
export async function removeEntries(ctx: Context, input: RemoveInput): Promise<Changed<RemoveOutcome>> {
  const { list, addresses, reason } = input;
  const own = list === "safelist" ? ctx.actor.address : undefined;
  return changeEntries<RemoveOutcome>(ctx, {
    ...{ verb: "remove", list, addresses, reason },
    looksAt: own ? ["safelist", "blocklist"] : [list],
    others: own ? [own] : [],
    decide(address, found, scene) {
      const coveredBy = scene.covers(list, address).filter((at) => !addresses.includes(at));
      if (found.kind === "none") return { outcome: { address, outcome: "absent", coveredBy } };
      const message = own && exposure(own, address, addresses, scene);
      if (message) return { outcome: { address, outcome: "refused", code: "locks-the-house", message } };
      return { outcome: { address, outcome: "removed", coveredBy }, to: null };
    },
  });
}

/** Why the actor would be blocked once this safelist entry, the last that shields them, is gone. */
export function exposure(
  own: Ip,
  address: Ip | Cidr,
  removed: readonly (Ip | Cidr)[],
  scene: Scene,
): string | undefined {
  if (!covers(blockOf(address), blockOf(own))) return undefined;
  const isShielded = scene.covers("safelist", own).some((at) => !removed.includes(at));
  const [block] = scene.covers("blocklist", own);
  if (isShielded || !block) return undefined;
  return `Without ${address} on the safelist your own address, ${own}, would be blocked by ${block}.`;
}
