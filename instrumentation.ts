import { environment } from "./lib/env.ts";
import { register as stampPeers } from "./lib/guard/next.ts";

export async function register(): Promise<void> {
  await stampPeers();
  // As in lib/guard/next.ts: what follows needs Node.
  if (process.env.NEXT_RUNTIME === "edge") return;
  const { startSealing } = await import("./lib/bans/sealing.ts");
  startSealing(environment());
  const { startCounterScan } = await import("./lib/stats/counter-scan.ts");
  startCounterScan(environment());
  const { theSweep } = await import("./app/_server/sweep.ts");
  theSweep();
  // From the start, so that there is a copy of the lists even if nobody has looked at them when Redis loses them.
  const { theCatalogue } = await import("./app/_server/catalogue.ts");
  theCatalogue();
  const [{ welcomeFirstAdmin }, { argon2id }] = await Promise.all([
    import("./lib/auth/first-admin.ts"),
    import("./lib/auth/password.ts"),
  ]);
  await welcomeFirstAdmin(environment(), argon2id);
}
