import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What makes a test depend on the clock, or start a process of its own. */
const clocked =
  /redis\/testing|"\.\/testing|\/bench\/|node:child_process|node:net"|node:http"|performance\.now/;
/** What makes a test depend on how fast the machine is, though its checks wait patiently for Redis. */
const timed =
  /longestTurn|slowest|\/bench\/|performance\.now|\.freeze\(|redis\/testing-(proxy|stopwatch)|vitest\.(fleet|in-time|processes)|retry: /;
const imported = /from "(\.{1,2}\/|@\/)([^"\n]{1,200})"/g;

/** Tests that wait most of their time, for what happens seconds later. Neighbours do not make them fail. */
export const waiting = [
  "deploy/acl-rules.test.ts",
  "deploy/acl.test.ts",
  "lib/cli/commands/doctor.test.ts",
  "lib/cli/main.test.ts",
  "lib/console/check/forward-auth.test.ts",
  "lib/console/metrics/scrape.test.ts",
  "lib/enforce/bans/bans.test.ts",
  "lib/enforce/edge/sightings.test.ts",
  "lib/enforce/guard/any-redis.test.ts",
  "lib/enforce/guard/digest.test.ts",
  "lib/enforce/guard/idle.test.ts",
  "lib/enforce/guard/membership.test.ts",
  "lib/enforce/guard/polling.test.ts",
  "lib/enforce/guard/slack-exact.test.ts",
  "lib/enforce/guard/slack-memory.test.ts",
  "lib/enforce/guard/slack-processes.test.ts",
  "lib/enforce/guard/slack-stats.test.ts",
  "lib/enforce/guard/slack.test.ts",
  "lib/enforce/guard/status.test.ts",
  "lib/enforce/guard/timed.test.ts",
  "lib/enforce/limits/four-processes.test.ts",
  "lib/enforce/limits/memory.test.ts",
  "lib/enforce/stats/report.test.ts",
  "lib/manage/bans/seal-pending.test.ts",
  "lib/manage/edge/sync.test.ts",
  "lib/manage/lists/snapshot-keeper.test.ts",
  "lib/manage/undo/undo-entries.test.ts",
  "lib/manage/users/sign-in-limits.test.ts",
  "lib/observe/doctor/rounds.test.ts",
  "lib/observe/stats/replay.test.ts",
  "lib/observe/stats/series.test.ts",
  "lib/redis/connect.test.ts",
  "lib/redis/copy.test.ts",
  "lib/redis/mirror.test.ts",
];

/** Tests of functions alone. */
export function pureTests(root: string, folders: readonly string[]): string[] {
  return testsIn(root, folders).filter((path) => !mentions(clocked, root, path));
}

/** Tests that use a Redis, and wait for its answers as long as these take. */
export function untimedTests(root: string, folders: readonly string[]): string[] {
  return testsIn(root, folders).filter(
    (path) => !waiting.includes(path) && mentions(clocked, root, path) && !mentions(timed, root, path),
  );
}

function testsIn(root: string, folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((path) => join(folder, String(path))),
    )
    .filter((path) => /\.test\.(ts|tsx|mjs)$/.test(path));
}

/** Whether a test, or a fixture that it imports, has such words. */
function mentions(words: RegExp, root: string, path: string): boolean {
  const source = readFileSync(join(root, path), "utf8");
  if (words.test(source)) return true;
  return [...source.matchAll(imported)].some(([, start = "", from = ""]) => {
    const file = start === "@/" ? from : join(dirname(path), start, from);
    return file.includes("/vitest.") && existsSync(join(root, file)) && mentions(words, root, file);
  });
}
