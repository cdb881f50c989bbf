import { environment } from "../../env.ts";
import { SnapshotKeeper } from "../../manage/lists/snapshot-keeper.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";

/** Keeps the snapshot that nodes start from, while this console runs. Of all consoles, one does. */
export function theSnapshotKeeper(): SnapshotKeeper | undefined {
  return oncePerProcess("snapshot keeper", () => {
    const { redisUrl } = environment();
    if (redisUrl === undefined) return undefined;
    const keeper = new SnapshotKeeper({ redis: redisUrl });
    keeper.start();
    return keeper;
  });
}
