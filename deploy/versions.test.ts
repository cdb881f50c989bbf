import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { judgeNext } from "@/lib/observe/doctor/check-next-version.ts";
import { judgeServer } from "@/lib/observe/doctor/check-server-version.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const { engines, peerDependencies }: { engines: { node: string }; peerDependencies: { next: string } } =
  JSON.parse(read("../lib/package.json"));

const node = {
  ...{ id: "one", app: "shop", version: "0", host: "there", startedAt: 0, change: 0, replicaAgeMs: 0 },
  ...{ safelisted: 0, blocklisted: 0, unknownClients: 0, seenAt: 0 },
};
const isOld = (next: string) => judgeNext([{ ...node, next }]).length > 0;

it("the library takes no Next that doctor calls old, and every other", () => {
  const floors = [...peerDependencies.next.matchAll(/>=(\d+)\.(\d+)\.(\d+)/g)].map((found) =>
    found.slice(1).map(Number),
  );
  expect(floors).toHaveLength(2);
  for (const [major = 0, minor = 0, patch = 0] of floors) {
    expect([peerDependencies.next, isOld(`${major}.${minor}.${patch}`)]).toEqual([
      peerDependencies.next,
      false,
    ]);
    expect(isOld(`${major}.${minor}.${patch - 1}`)).toBe(true);
  }
  expect(peerDependencies.next).toMatch(/^>=15\.\S+ <16 \|\| >=16\.\S+$/);
});

it("images run a Node that is maintained, and no Node is allowed that cannot require the library", () => {
  const images = [...read("Dockerfile").matchAll(/^FROM node:(\d+)/gm)].map(([, major]) => Number(major));
  expect(images.length).toBeGreaterThan(0);
  for (const major of images) expect(major).toBeGreaterThanOrEqual(22);
  // A module can be required from 20.19 and 22.12 on.
  expect(engines.node).toBe(">=20.20 <21 || >=22.12");
});

it("images run a Redis that its authors maintain", () => {
  const versions = [...read("compose.yaml").matchAll(/image: redis:(\d+)(?:\.(\d+))?/g)];
  expect(versions.length).toBeGreaterThan(0);
  for (const [, major, minor = "0"] of versions)
    expect(judgeServer(new Map([["redis_version", `${major}.${minor}.0`]])).status).toBe("ok");
});
