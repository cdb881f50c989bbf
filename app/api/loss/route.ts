import { z } from "zod";
import type { LossReply } from "../../../lib/queries/loss.ts";
import { theCatalogue } from "../../_server/catalogue.ts";
import { read } from "../../_server/read.ts";

export const GET = read("read", z.object({}), async (): Promise<LossReply> => {
  const missing = await theCatalogue().missing();
  if (!missing) return { loss: null };
  return { loss: { at: new Date(missing.at).toISOString(), ...missing.counts } };
});
