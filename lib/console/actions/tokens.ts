"use server";

import { z } from "zod";
import { createToken as create } from "../../manage/tokens/create-token.ts";
import { revokeToken as revoke } from "../../manage/tokens/revoke-token.ts";
import { scopes } from "../../manage/tokens/scopes.ts";
import { action } from "../action.ts";

const name = z.string().max(200);

/** Makes a token of the API. Its secret is in this answer alone. */
export const createToken = action({
  name: "token.create",
  needs: "tokens",
  input: z.object({
    name,
    scopes: z.array(z.enum(scopes)).max(scopes.length),
    app: z.string().max(200).optional(),
    expiresInMs: z.number().nullable(),
  }),
  async run(ctx, input) {
    const { secret, token } = await create(ctx, input);
    const { id: _, ...shown } = token;
    return { secret, token: shown };
  },
});

export const revokeToken = action({
  name: "token.revoke",
  needs: "tokens",
  input: z.object({ name }),
  async run(ctx, input) {
    await revoke(ctx, input);
    return {};
  },
});
