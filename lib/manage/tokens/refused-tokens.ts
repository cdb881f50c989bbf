import type { Ip } from "../../ip/parse.ts";
import { recordRefusal } from "../audit/denied-attempts.ts";
import type { Signed } from "../audit/record.ts";
import { RefusedSignIns } from "../users/refused-sign-ins.ts";
import { isShared } from "../users/sign-in-client.ts";
import { FailureCounts } from "../users/sign-in-failures.ts";
import { levelsOfRefusedTokens } from "../users/sign-in-levels.ts";
import type { ApiToken } from "./token.ts";

export interface RefusedRequest {
  readonly address: Ip | undefined;
  /** The address says that it forwards for others. */
  readonly isForwarded: boolean;
  /** The token, if its secret was right. */
  readonly token: ApiToken | undefined;
}

/**
 * Counts requests with a token that is not valid, as refused sign-ins are counted, and puts them on record in bounded number. A valid
 * token is never refused because of them: others may share its address.
 */
export class RefusedTokens {
  readonly #counts: FailureCounts;
  readonly #ledger: RefusedSignIns;

  constructor(ctx: Omit<Signed, "actor">, log: (line: string) => void) {
    this.#counts = new FailureCounts(ctx.redis);
    this.#ledger = ledgerOf(ctx, log);
  }

  /** Counts a refused request. Returns the ms that the client has to wait if it has sent too many. */
  async note({ address, isForwarded, token }: RefusedRequest): Promise<number> {
    const account = token && `token ${token.name}`;
    await this.#ledger.note({ address, account, ...(token && { why: "it has expired" }) });
    // Where many share an address, the mistake of one must not concern the others.
    if (isShared(address) || isForwarded) return 0;
    const levels = levelsOfRefusedTokens(address);
    const { answer, remembered } = this.#counts.ask({ levels, isAdding: true, now: undefined });
    const counted = await answer.catch(() => remembered);
    const over = counted.filter(({ count }, i) => count > (levels[i]?.limit ?? Number.POSITIVE_INFINITY));
    return Math.max(0, ...over.map(({ leftMs }) => leftMs));
  }

  /** Writes the record of the refusals that are not on record yet. */
  flush(): Promise<void> {
    return this.#ledger.flush();
  }
}

function ledgerOf(ctx: Omit<Signed, "actor">, log: (line: string) => void): RefusedSignIns {
  return new RefusedSignIns(
    async (address, reason) => {
      const actor = { name: "unknown", via: "api", ...(address && { address }) };
      await recordRefusal({ ...ctx, actor }, { action: "token", reason }).catch(() =>
        log(`sluice: a refused API token could not be recorded: ${address ?? "unknown address"}, ${reason}.`),
      );
    },
    { unknown: "token" },
  );
}
