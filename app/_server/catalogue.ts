import { setTimeout as pause } from "node:timers/promises";
import { welcomeFirstAdmin } from "../../lib/auth/first-admin.ts";
import { argon2id } from "../../lib/auth/password.ts";
import { environment } from "../../lib/env.ts";
import { Catalogue } from "../../lib/lists/catalogue.ts";
import { atHome } from "../../lib/redis/home.ts";
import { theConsole } from "./console.ts";

/** Small lists are there before a page has to say that they are loading. */
const patienceMs = 500;

/** The console's own copy of both lists: one in a process, from when somebody first asks for it. */
export function theCatalogue(): Catalogue {
  return atHome("catalogue", () => {
    const { redisUrl, protectedRanges } = theConsole();
    return new Catalogue({ redis: redisUrl, protectedRanges, onCurrent, onLoss });
  });
}

/** When Redis came back empty, users are gone, whatever the lists held, and somebody has to be able to sign in. */
function onCurrent(): void {
  void welcomeFirstAdmin(environment(), argon2id);
}

function onLoss(): void {
  console.warn("sluice: Redis came back empty. An admin can restore the lists from this console's copy.");
}

/** The same, after a moment in which it may have loaded. */
export async function loadedCatalogue(): Promise<Catalogue> {
  const catalogue = theCatalogue();
  if (!catalogue.isComplete)
    await Promise.race([catalogue.ready, pause(patienceMs, undefined, { ref: false })]);
  return catalogue;
}
