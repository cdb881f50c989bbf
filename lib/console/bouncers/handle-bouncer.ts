import { errorLine } from "../../errors.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { theApi } from "../api/handle.ts";
import { loadedCatalogue, theCatalogue } from "../catalogue.ts";
import { theConsole } from "../console.ts";
import { originIn } from "../session/session.ts";
import { answerBouncer, type BouncerParts } from "./answer-bouncer.ts";
import { readHead } from "./decision-log.ts";
import { Decisions } from "./decisions.ts";

/** Answers a request to /v1/decisions or /v1/decisions/stream. */
export function handleBouncer(request: Request): Promise<Response> {
  const parts = theBouncerParts();
  return answerBouncer(parts, request, originIn(request.headers, parts.console.trust));
}

/**
 * Reads what is published before the first bouncer asks: a hundred thousand decisions take a second. Without bouncers nothing is
 * published, and nothing is read.
 */
export async function prepareDecisions(): Promise<void> {
  try {
    if ((await readHead(theConsole().redis)) === "") return;
    await theCatalogue().ready;
    await theDecisions().refresh();
  } catch (error) {
    console.warn(`sluice: what bouncers enforce is read once one asks. ${errorLine(error)}`);
  }
}

/** The copy of what is published. One in a process. */
export function theDecisions(): Decisions {
  return oncePerProcess("decisions", () => new Decisions(theConsole().redis, theCatalogue()));
}

function theBouncerParts(): BouncerParts {
  return {
    ...theApi(),
    async decisions() {
      await loadedCatalogue();
      return theDecisions();
    },
  };
}
