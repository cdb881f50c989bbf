import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** What a process says that it has sent, and what became of it. */
export interface Sent {
  readonly outcomes: Readonly<Record<string, number>>;
  readonly came: readonly (readonly [client: string, requests: number])[];
}

interface Crowd {
  readonly redis: string;
  readonly counters: string;
  readonly processes: number;
  readonly clients: number;
}

/** Processes that enforce and are asked, those of `npm run bench -- crowd`, with the library compiled from these sources. */
export function testFleet() {
  let built = "";
  const nodes: ChildProcess[] = [];

  beforeAll(() => {
    mkdirSync(join(root, ".cache"), { recursive: true });
    built = mkdtempSync(join(root, ".cache/fleet-"));
    const project = {
      extends: "../../lib/tsconfig.json",
      compilerOptions: { outDir: "dist", rootDir: "../../lib", noCheck: true, types: [] },
      files: ["../../lib/enforce/guard/index.ts"],
      include: [],
    };
    writeFileSync(join(built, "tsconfig.json"), JSON.stringify(project));
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", join(built, "tsconfig.json")]);
  });
  afterAll(() => {
    for (const node of nodes) node.kill("SIGKILL");
    rmSync(built, { recursive: true, force: true });
  });

  return {
    async start({ redis, counters, processes, clients }: Crowd): Promise<ChildProcess[]> {
      const program = join(root, "bench/crowd-node.mjs");
      for (let which = 0; which < processes; which++) {
        const words = [program, join(built, "dist"), redis, counters, which, processes, clients].map(String);
        const stdio = ["ignore", "inherit", "inherit", "ipc"] as const;
        nodes.push(spawn(process.execPath, ["--expose-gc", ...words], { stdio: [...stdio] }));
      }
      await Promise.all(nodes.map((node) => heard(node, "isReady")));
      return nodes;
    },
    /** In MB, once nothing is held that is not needed. */
    async heap(node: ChildProcess): Promise<number> {
      const said = heard<{ heap: number }>(node, "memory");
      node.send("memory");
      return (await said).heap;
    },
    async send(node: ChildProcess): Promise<Sent> {
      const said = heard<Sent>(node, "sent");
      node.send("go");
      return said;
    },
  };
}

async function heard<T>(node: ChildProcess, what: string): Promise<T> {
  for (;;) {
    const [message]: { [what: string]: T }[] = await once(node, "message");
    const found = message?.[what];
    if (found !== undefined) return found;
  }
}
