import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { listNodes } from "../../observe/stats/nodes.ts";
import { forgetOnce } from "../../redis/once-per-process.ts";
import { eventually, startRedis } from "../../redis/testing.ts";
import { createGuard } from "./guard.ts";
import { nextVersion, noteNextVersion } from "./version.ts";

afterEach(() => forgetOnce("next version"));

const appWith = (version: unknown) => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-app-"));
  mkdirSync(join(folder, "node_modules/next"), { recursive: true });
  writeFileSync(join(folder, "node_modules/next/package.json"), JSON.stringify({ name: "next", version }));
  return folder;
};

it("reads the version of the app's Next, and none where there is none", () => {
  expect(nextVersion()).toBeUndefined();
  for (const version of [undefined, 15]) {
    const folder = appWith(version);
    noteNextVersion(folder);
    rmSync(folder, { recursive: true });
    expect(nextVersion()).toBeUndefined();
  }
  noteNextVersion(tmpdir());
  expect(nextVersion()).toBeUndefined();
  const folder = appWith("15.5.7");
  noteNextVersion(folder);
  rmSync(folder, { recursive: true });
  expect(nextVersion()).toBe("15.5.7");
});

it("is reported by nodes that Next runs, and by no others", async () => {
  const redis = await startRedis();
  const reported = async (app: string) => {
    const guard = createGuard({ redis: redis.url, app, log: () => {} });
    try {
      return await eventually(async () => {
        const node = (await listNodes(redis.client)).find((one) => one.app === app);
        if (!node) throw new Error(`${app} has not reported`);
        return node;
      });
    } finally {
      await guard.close();
    }
  };
  const plain = await reported("plain");
  expect(plain.next).toBeUndefined();
  expect(`v${plain.node}`).toBe(process.version);
  const folder = appWith("15.5.7");
  noteNextVersion(folder);
  expect((await reported("shop")).next).toBe("15.5.7");
  rmSync(folder, { recursive: true });
  await redis.stop();
});
