import { type Catalogue, startCatalogue } from "../observe/catalogue/catalogue.ts";
import { oncePerProcess } from "../redis/once-per-process.ts";
import { theConsole } from "./console.ts";
import { inTime } from "./in-time.ts";
import { welcome } from "./session/first-admin.ts";

/** Small lists are there before a page has to say that they are loading. */
const patienceMs = 500;

/** The console's own copy of both lists: one in a process, from the first call. */
export function theCatalogue(): Catalogue {
  return oncePerProcess("catalogue", () => {
    const { redisUrl, protectedRanges } = theConsole();
    return startCatalogue({ redis: redisUrl, protectedRanges, onCurrent, onLoss });
  });
}

/** When Redis came back empty, its users are gone, and a first admin must be able to sign in. */
function onCurrent(): void {
  void welcome();
}

function onLoss(): void {
  console.warn("sluice: Redis came back empty. An admin can restore the lists from this console's copy.");
}

/** The same, after a moment in which it may have loaded. */
export async function loadedCatalogue(): Promise<Catalogue> {
  const catalogue = theCatalogue();
  if (!catalogue.isComplete) await inTime(catalogue.ready, patienceMs);
  return catalogue;
}
