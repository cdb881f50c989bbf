import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Algorithm, windowAlgorithms } from "../algorithms/algorithms.ts";
import type { Plan } from "./plan.ts";
import { createScales } from "./scales.ts";
import { testCounters } from "./vitest.counters.ts";
import { stepOf, verdicts } from "./vitest.differential.ts";

const counters = testCounters();
const root = fileURLToPath(new URL("../../..", import.meta.url));
let built = "";

/** The product as other processes run it: compiled, and inside of the project, so that its packages are found. */
beforeAll(() => {
  mkdirSync(join(root, ".cache"), { recursive: true });
  built = mkdtempSync(join(root, ".cache/scales-"));
  const project = {
    extends: "../../lib/tsconfig.json",
    compilerOptions: { outDir: "dist", rootDir: "../../lib", noCheck: true, types: [] },
    files: ["../../lib/enforce/limits/scales.ts", "../../lib/redis/connect.ts"],
    include: [],
  };
  writeFileSync(join(built, "tsconfig.json"), JSON.stringify(project));
  execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", join(built, "tsconfig.json")]);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

const hammer = `
  const { createScales } = await import(process.argv[1] + "/enforce/limits/scales.js");
  const { connectControl } = await import(process.argv[1] + "/redis/connect.js");
  // A prompt one sets no time limit, and four processes on a busy machine take their time to come.
  const redis = connectControl(process.argv[2], "promptly");
  // A prompt connection does not keep the process alive.
  const held = setInterval(() => {}, 60_000);
  await new Promise((resolve) => redis.once("ready", resolve));
  const scales = createScales(redis, { withinMs: 10_000 });
  const plan = JSON.parse(process.argv[3]);
  await redis.blpop("go", 25);
  const load = { plan, clients: ["a"], costs: [1] };
  const answers = await Promise.all(Array.from({ length: 250 }, () => scales.weigh(load)));
  console.log(answers.filter(({ outcome, deniedBy }) => outcome === "weighed" && deniedBy === -1).length);
  redis.disconnect();
  clearInterval(held);
`;

async function passedInFourProcesses(plan: Plan): Promise<number> {
  const words = [
    "--input-type=module",
    "-e",
    hammer,
    join(built, "dist"),
    counters.server.url,
    JSON.stringify(plan),
  ];
  const running = Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, words));
  await expect
    .poll(async () => String(await counters.client.client("LIST")).match(/cmd=blpop/g)?.length, {
      timeout: 20_000,
    })
    .toBe(4);
  await counters.client.rpush("go", 1, 2, 3, 4);
  const printed = await Promise.all(running);
  return printed.reduce((sum, { stdout }) => sum + Number(stdout), 0);
}

const strict = (algorithm: Algorithm): Plan => {
  return { steps: [stepOf(algorithm, "api", { limit: 137, periodSeconds: 86_400 })] };
};

it.each(windowAlgorithms)(
  "%s: of a thousand requests at once from four processes exactly the limit passes",
  async (algorithm) => {
    expect(await passedInFourProcesses(strict(algorithm))).toBe(137);
  },
);

it.each(windowAlgorithms)(
  "%s: of a thousand requests at once exactly the limit passes",
  async (algorithm) => {
    const scales = createScales(counters.redis, { withinMs: 10_000 });
    const found = await verdicts(
      scales,
      strict(algorithm),
      Array.from({ length: 1_000 }, () => "a"),
    );
    expect(found.filter((deniedBy) => deniedBy === -1)).toHaveLength(137);
  },
);
