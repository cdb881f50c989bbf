import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually, freePort, startRedis, startServer, type TestRedis } from "./testing.ts";

export interface SentinelSet {
  readonly url: string;
  readonly master: TestRedis;
  readonly replica: TestRedis;
  /** Waits until Sentinel has promoted the replica. */
  promotion(): Promise<void>;
  stop(): Promise<void>;
}

/** A master, its replica and one Sentinel that promotes after half a second. */
export async function startSentinelSet(): Promise<SentinelSet> {
  const master = await startRedis();
  const replica = await startRedis("--replicaof", "127.0.0.1", String(master.port));
  await eventually(async () => {
    if (!(await replica.client.info("replication")).includes("master_link_status:up"))
      throw new Error("not in step");
  });
  const dir = mkdtempSync(join(tmpdir(), "sluice-sentinel-"));
  const port = await freePort();
  const file = join(dir, "sentinel.conf");
  const watch = [
    `monitor house 127.0.0.1 ${master.port} 1`,
    "down-after-milliseconds house 500",
    "failover-timeout house 2000",
  ];
  writeFileSync(
    file,
    [`port ${port}`, "bind 127.0.0.1", `dir ${dir}`, ...watch.map((line) => `sentinel ${line}`)].join("\n"),
  );
  const sentinel = await startServer([file, "--sentinel"], /\+monitor master/);
  return {
    url: `redis+sentinel://127.0.0.1:${port}/house`,
    master,
    replica,
    promotion: () =>
      eventually(async () => {
        if (!(await replica.client.info("replication")).includes("role:master"))
          throw new Error("not promoted");
      }, 20_000),
    async stop() {
      sentinel.kill("SIGKILL");
      await Promise.all([master.stop(), replica.stop()]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Three masters that share the slots. */
export async function startCluster(): Promise<{ url: string; nodes: TestRedis[]; stop(): Promise<void> }> {
  const settings = ["--cluster-enabled", "yes", "--cluster-node-timeout", "1000"];
  const nodes = await Promise.all([1, 2, 3].map(() => startRedis(...settings)));
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  execFileSync("redis-cli", ["--cluster", "create", ...addresses, "--cluster-yes"], { stdio: "pipe" });
  for (const { client } of nodes) {
    await eventually(async () => {
      if (!(await client.cluster("INFO")).includes("cluster_state:ok"))
        throw new Error("the cluster has not formed");
    });
  }
  return {
    url: addresses.map((address) => `redis://${address}`).join(","),
    nodes,
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}
