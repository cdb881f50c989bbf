import { oncePerProcess } from "../../redis/once-per-process.ts";
import { theApi } from "../api/handle.ts";
import { loadedCatalogue, theCatalogue } from "../catalogue.ts";
import { originIn } from "../session/session.ts";
import { answerBouncer, type BouncerParts } from "./answer-bouncer.ts";
import { Decisions } from "./decisions.ts";

/** Answers a request to /v1/decisions or /v1/decisions/stream. */
export function handleBouncer(request: Request): Promise<Response> {
  const parts = theBouncerParts();
  return answerBouncer(parts, request, originIn(request.headers, parts.console.trust));
}

function theBouncerParts(): BouncerParts {
  return oncePerProcess("bouncers", () => {
    const api = theApi();
    const decisions = new Decisions(api.console.redis, theCatalogue());
    return {
      ...api,
      decisions: async () => {
        await loadedCatalogue();
        return decisions;
      },
    };
  });
}
