import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { pureTests, untimedTests, waiting } from "./vitest.groups.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folders = ["lib", "app", "components", "scripts", "deploy"];
const pure = pureTests(root, folders);
const untimed = untimedTests(root, folders);
/** What waits longest begins first. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isWaiting = ({ project }: TestSpecification) => project.name === "waiting";
    return [...sorted.filter(isWaiting), ...sorted.filter((file) => !isWaiting(file))];
  }
}

const sideBySide = { maxWorkers: 3, sequence: { groupOrder: 0 } };

export default defineConfig({
  resolve: { alias: { "@/": root } },
  test: {
    root,
    pool: "forks",
    sequence: { sequencer: WaitingFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        // They share their threads: starting a process for each file would take longer than all of these tests.
        test: { name: "pure", include: pure, ...sideBySide, pool: "threads", isolate: false },
      },
      { extends: true, test: { name: "waiting", include: waiting, ...sideBySide } },
      {
        extends: true,
        test: {
          name: "untimed",
          include: untimed,
          ...sideBySide,
          setupFiles: "lib/enforce/guard/vitest.patiently.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "clocked",
          include: folders.map((folder) => `${folder}/**/*.test.{ts,tsx,mjs}`),
          exclude: [...pure, ...waiting, ...untimed],
          // They hold answers against the clock: neighbours on the same cores would spoil that.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
