import { createGuard } from "../../enforce/guard/guard.ts";
import { consoleApp } from "../../enforce/policy/match.ts";
import { environment } from "../../env.ts";
import { RefusedTokens } from "../../manage/tokens/refused-tokens.ts";
import { TokenUses } from "../../manage/tokens/token-uses.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { theConsole } from "../console.ts";
import { originIn } from "../session/session.ts";
import { type ApiParts, answerApi } from "./api.ts";

/** Of each token. An admin can publish others on Policy. */
const readsPerMinute = 600;
const writesPerMinute = 60;

/** Answers a request to /api/v1. */
export function handleApi(request: Request): Promise<Response> {
  const parts = theApi();
  return answerApi(parts, request, originIn(request.headers, parts.console.trust));
}

/** What answers requests with a token. One in a process. Its guard shares the runtime of the console's own. */
export function theApi(): ApiParts {
  return oncePerProcess("api", () => {
    const opened = theConsole();
    const { redis, redisUrl, seal } = opened;
    const { countersRedisUrl, trustedProxies, neverBlock } = environment();
    const guard = createGuard({
      ...{ redis: redisUrl, counters: countersRedisUrl, app: consoleApp, trustedProxies, neverBlock },
    });
    const perMinute = (limit: number) => ({ levels: [{ limit, periodSeconds: 60 }] });
    return {
      console: opened,
      refused: new RefusedTokens({ redis, seal }, console.warn),
      uses: new TokenUses(),
      limits: {
        reads: guard.limit("api-reads", perMinute(readsPerMinute)),
        writes: guard.limit("api-writes", perMinute(writesPerMinute)),
      },
    };
  });
}
