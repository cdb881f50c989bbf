import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { keys } from "../../redis/keys.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { readToken, tokensIn } from "./token.ts";

/** Revokes a token. It is refused from the next request on. */
export async function revokeToken(ctx: Signed, { name }: { readonly name: string }): Promise<void> {
  const stored = tokensIn(Object.entries(await ctx.redis.hgetall(keys.tokens())));
  const found = stored.find((token) => token.name === name);
  if (!found) throw unknown(name);
  await commit(ctx, {
    ...{ action: "token.revoke", reason: "" },
    slots: [
      { key: keys.tokens(), field: found.id, target: name },
      { key: keys.tokenUses(), field: found.id, target: name, isAside: true },
    ],
    decide({ slots }) {
      const held = at(slots, 0);
      if (held.kind !== "string" || readToken(found.id, held.value)?.name !== name) throw unknown(name);
      const hasUse = at(slots, 1).kind === "string";
      return { writes: [{ slot: 0, to: null }, ...(hasUse ? [{ slot: 1, to: null }] : [])] };
    },
  });
}

function unknown(name: string): DomainError {
  return new DomainError("not-found", `There is no token named ${JSON.stringify(name)}.`);
}
