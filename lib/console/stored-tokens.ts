import { z } from "zod";
import { listTokens } from "../manage/tokens/token-uses.ts";
import { read } from "./read.ts";

export const getTokens = read("tokens", z.object({}), async ({ console: { redis } }) => ({
  tokens: await listTokens(redis),
}));
