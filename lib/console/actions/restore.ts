"use server";

import { z } from "zod";
import { DomainError } from "../../errors.ts";
import { recordDismissal, restoreLost } from "../../manage/lists/restore.ts";
import { action } from "../action.ts";
import { theCatalogue } from "../catalogue.ts";

const input = z.object({ reason: z.string().max(10_000).default("") });

/** Writes back what Redis lost, for some seconds: while `left` is not 0, there is more to do and it is called again. */
export const restoreLists = action({
  name: "lists.restore",
  needs: "restore",
  input,
  async run(ctx, { reason }) {
    const loss = requireLoss();
    const restored = await restoreLost(ctx, { loss, reason });
    if (restored.left === 0) theCatalogue().forgetLoss(loss);
    return restored;
  },
});

export const dismissLoss = action({
  name: "lists.dismiss-loss",
  needs: "restore",
  input,
  async run(ctx, { reason }) {
    const loss = requireLoss();
    await recordDismissal(ctx, { loss, reason });
    theCatalogue().forgetLoss(loss);
    return {};
  },
});

function requireLoss() {
  const { loss } = theCatalogue();
  if (loss) return loss;
  throw new DomainError("not-found", "Nothing to restore. The lists match this console's copy.");
}
