import { readFileSync } from "node:fs";
import type { Redis } from "ioredis";

/** Time in ms that work took. */
export interface Took {
  /** CPU time of this process and of Redis. */
  readonly cpuMs: number;
  /** Elapsed time, without the time for which this process and Redis waited for a core that other programs used. */
  readonly elapsedMs: number;
}

/** Measures work of this process and of Redis, which take turns. */
export async function timed<T>(client: Redis, work: () => Promise<T>): Promise<[T, Took]> {
  const server = await serverPid(client);
  const before = { cpuMs: await cpuOf(client), queuedMs: queuedMs(process.pid) + queuedMs(server) };
  const begun = performance.now();
  const result = await work();
  const elapsedMs = performance.now() - begun;
  const waitedMs = queuedMs(process.pid) + queuedMs(server) - before.queuedMs;
  return [result, { cpuMs: (await cpuOf(client)) - before.cpuMs, elapsedMs: elapsedMs - waitedMs }];
}

export async function serverPid(client: Redis): Promise<number> {
  return Number(/process_id:(\d+)/.exec(await client.info("server"))?.[1]);
}

/** For how long the main thread of a process could have run, but no core was free; 0 on systems that do not count it. */
export function queuedMs(pid: number): number {
  try {
    const [, queuedNs] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ");
    return Number(queuedNs) / 1_000_000;
  } catch {
    return 0;
  }
}

async function cpuOf(client: Redis): Promise<number> {
  const { user, system } = process.cpuUsage();
  const seconds = /used_cpu_(?:user|sys):([\d.]+)/g;
  const server = [...(await client.info("cpu")).matchAll(seconds)];
  return server.reduce((sum, [, used]) => sum + Number(used) * 1_000, (user + system) / 1_000);
}
