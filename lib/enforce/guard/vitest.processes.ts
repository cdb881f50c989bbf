import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import type { RequestResult } from "../limits/plan.ts";
import type { Explanation } from "./explain.ts";
import type { GuardRequest } from "./request.ts";
import type { Verdict } from "./verdict.ts";
import { readUsed, untilCounted } from "./vitest.nodes.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

interface Load {
  readonly request: GuardRequest;
  /** Requests that are made together; each such burst follows the verdicts of the one before. */
  readonly sizes: readonly number[];
}

/** With `isLast`, the process kills itself in the turn in which it has the verdicts: nothing more is sent. */
const program = `
  import { writeSync } from "node:fs";
  const [, library, redis, counters, app] = process.argv;
  const { createGuard } = await import(library + "/enforce/guard/index.js");
  const guard = createGuard({ redis, counters, app, log: () => {} });
  process.on("disconnect", () => process.exit(1));
  let open = [];
  process.on("message", async ({ request, sizes, isLast, result }) => {
    if (result) {
      await Promise.all(open.splice(0).map((verdict) => verdict.settle(result)));
      return process.send([]);
    }
    if (!sizes) return process.send(await guard.explain(request));
    const verdicts = [];
    for (const size of sizes)
      verdicts.push(...(await Promise.all(Array.from({ length: size }, () => guard.check(request)))));
    open.push(...verdicts);
    if (!isLast) return process.send(verdicts);
    writeSync(1, JSON.stringify(verdicts));
    process.kill(process.pid, "SIGKILL");
  });
  await guard.ready();
  process.send([]);
`;

/** Nodes of one fleet in processes of their own, with the library compiled from these sources, and their servers. */
export function testProcesses(count: number) {
  let control: TestRedis;
  let counters: TestRedis;
  let built = "";
  let nodes: ChildProcess[] = [];

  async function answer<T = readonly Verdict[]>(node: ChildProcess): Promise<T> {
    const [said]: T[] = await once(node, "message");
    if (said === undefined) throw new Error("a process said nothing");
    return said;
  }

  function start(which: number): ChildProcess {
    const words = [join(built, "dist"), control.url, counters.url, `process-${which}`];
    const stdio = ["ignore", "pipe", "inherit", "ipc"] as const;
    return spawn(process.execPath, ["--input-type=module", "-e", program, ...words], { stdio: [...stdio] });
  }

  function nodeOf(which: number): ChildProcess {
    const node = nodes[which];
    if (!node) throw new Error(`there is no process ${which}`);
    return node;
  }

  async function ask(which: number, load: Load): Promise<readonly Verdict[]> {
    const verdicts = answer(nodeOf(which));
    nodeOf(which).send(load);
    return verdicts;
  }

  const askAll = (load: Load) => Promise.all(nodes.map((_, which) => ask(which, load)));

  beforeAll(async () => {
    mkdirSync(join(root, ".cache"), { recursive: true });
    built = mkdtempSync(join(root, ".cache/nodes-"));
    const project = {
      extends: "../../lib/tsconfig.json",
      compilerOptions: { outDir: "dist", rootDir: "../../lib", noCheck: true, types: [] },
      files: ["../../lib/enforce/guard/index.ts"],
      include: [],
    };
    writeFileSync(join(built, "tsconfig.json"), JSON.stringify(project));
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", join(built, "tsconfig.json")]);
    [control, counters] = await Promise.all([startRedis(), startRedis()]);
    nodes = Array.from({ length: count }, (_, which) => start(which));
    await Promise.all(nodes.map((node) => answer(node)));
    const apps = nodes.map((_, which) => `process-${which}`);
    await untilCounted(control, apps, () => askAll({ request: { ip: undefined }, sizes: [1] }));
  });
  afterAll(async () => {
    for (const node of nodes) node.kill("SIGKILL");
    await Promise.all([control.stop(), counters.stop()]);
    rmSync(built, { recursive: true, force: true });
  });

  return {
    get control() {
      return control;
    },
    get counters() {
      return counters;
    },
    ask,
    /** What the counters hold for a request that one rule counts. */
    used: (request: GuardRequest) =>
      readUsed(() => {
        const explanation = answer<Explanation>(nodeOf(0));
        nodeOf(0).send({ request });
        return explanation;
      }),
    /** The same of every process, at once. */
    askAll,
    /** Settles all that a process has asked. */
    async settle(which: number, result: RequestResult): Promise<void> {
      const settled = answer(nodeOf(which));
      nodeOf(which).send({ result });
      await settled;
    },
    /** What a process answers before it is killed. */
    async askLast(which: number, load: Load): Promise<readonly Verdict[]> {
      const node = nodeOf(which);
      if (!node.stdout) throw new Error("its output is piped");
      const gone = once(node, "exit");
      node.send({ ...load, isLast: true });
      // The one cast: the program writes what the guard has returned.
      const verdicts = JSON.parse(await text(node.stdout)) as Verdict[];
      await gone;
      return verdicts;
    },
  };
}
