import { register as registerGuard } from "./lib/enforce/guard/next.ts";
import { environment } from "./lib/env.ts";
import { readProtection } from "./lib/manage/lists/protection.ts";
import { readSso } from "./lib/manage/users/sso-settings.ts";

export async function register(): Promise<void> {
  // As in lib/enforce/guard/next.ts: what is inside needs Node.
  if (process.env.NEXT_RUNTIME !== "edge") {
    await registerGuard(async () => {
      // First, because the sweep of the edge would go on without what it cannot read.
      readProtection(environment());
      const { refuseLongBodies } = await import("./lib/console/refuse-long-bodies.ts");
      refuseLongBodies(environment().secret);
      // Bans are put on record, the edge is swept and the lists are kept by the consoles of the fleet.
      if (environment().isOnlyCheck) return;
      readSso(environment());
      const { startSealing } = await import("./lib/manage/bans/sealing.ts");
      const { theConsole } = await import("./lib/console/console.ts");
      const { theCatalogue } = await import("./lib/console/catalogue.ts");
      startSealing({
        ...environment(),
        protectedRanges: () => theConsole().protectedRanges,
        bansOlderThan: (ms) => theCatalogue().bansOlderThan(ms),
      });
      const { keepReferenceKey } = await import("./lib/console/references/reference-key.ts");
      keepReferenceKey();
      const { keepDenialLog } = await import("./lib/console/denials/keep-log.ts");
      keepDenialLog();
      const { startCounterScan } = await import("./lib/observe/stats/counter-scan.ts");
      startCounterScan(environment());
      const { theSweep } = await import("./lib/console/edge/sweep.ts");
      theSweep();
      const { theFeedRefresher } = await import("./lib/console/feeds/feed-refresher.ts");
      theFeedRefresher();
      const { theEndNoter } = await import("./lib/console/policy/end-noter.ts");
      theEndNoter();
      const { theSnapshotKeeper } = await import("./lib/console/lists/snapshot-keeper.ts");
      theSnapshotKeeper();
      const { theAlarmKeeper } = await import("./lib/console/alarms/alarm-keeper.ts");
      theAlarmKeeper();
      const { startRecordingEstimates } = await import("./lib/console/stats/record-estimates.ts");
      startRecordingEstimates();
      // From the start, so that there is a copy of the lists even if nobody has looked at them when Redis loses them.
      theCatalogue();
      const { prepareDecisions } = await import("./lib/console/bouncers/handle-bouncer.ts");
      void prepareDecisions();
      const { theAuditEnd } = await import("@/lib/console/audit/audit-watch.ts");
      theAuditEnd();
      const { welcome } = await import("./lib/console/session/first-admin.ts");
      await welcome();
    });
  }
}
