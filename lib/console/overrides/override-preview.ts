import { z } from "zod";
import { requireLevels } from "../../enforce/policy/levels.ts";
import { DomainError } from "../../errors.ts";
import { readIds } from "../../manage/overrides/members.ts";
import { mostMembers, requireName } from "../../manage/overrides/shared-override.ts";
import { previewSharedOverride } from "../../observe/overrides/override-effect.ts";
import { postedRead } from "../action.ts";
import { theConsole } from "../console.ts";
import { directoryOf } from "../customers/customer-directory.ts";
import { inFairTurn } from "../fair-turns.ts";
import { redisNowMs, theStatistics } from "../statistics.ts";

/** Ids with the signs around them. */
const longestBody = 80 * mostMembers;

/** Who would get limits, and who of the last hour would have been denied. Nothing is written. */
export const postOverridePreview = postedRead({
  name: "override.preview",
  needs: "customers",
  longestBody,
  input: z.object({
    name: z.string().max(80),
    levels: z.array(z.object({ limit: z.number(), periodSeconds: z.number() })).max(64),
    members: z.array(z.string().max(80)).max(mostMembers),
  }),
  run: (ctx, { name, levels, members }, signal) =>
    inFairTurn("preview", ctx.who.sessionId, async () => {
      if (signal.aborted) throw new DomainError("too-busy", "The browser no longer waits for this preview.");
      const wanted = { name: requireName(name), levels: requireLevels(levels), members: readIds(members) };
      const { directory } = await directoryOf(theConsole());
      const customers = directory.beginningWith("");
      const source = { redis: ctx.redis, clients: theStatistics().clients, customers };
      return previewSharedOverride(source, wanted, await redisNowMs());
    }),
});
