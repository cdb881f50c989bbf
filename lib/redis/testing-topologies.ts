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

/** A master waits for no further replicas before it copies itself to the first one. */
const inStepAtOnce = ["--repl-diskless-sync-delay", "0"];

/** A master, its replica and one Sentinel that promotes after half a second. */
export async function startSentinelSet(): Promise<SentinelSet> {
  const master = await startRedis(...inStepAtOnce);
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
    promotion: () => eventually(() => expectMaster(replica), 20_000),
    async stop() {
      sentinel.kill("SIGKILL");
      await Promise.all([master.stop(), replica.stop()]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export interface TestCluster {
  readonly url: string;
  /** The masters it began with. */
  readonly nodes: readonly TestRedis[];
  /** These, and their replicas. */
  readonly servers: readonly TestRedis[];
  /** Waits until the replica of a master takes over. */
  promotion(master: TestRedis): Promise<void>;
  stop(): Promise<void>;
}

/** Three masters that share the slots, each with as many replicas. A silent master is replaced after a second or two. */
export async function startCluster(replicasEach = 0): Promise<TestCluster> {
  const servers = await Promise.all(Array.from({ length: 3 + 3 * replicasEach }, startClusterNode));
  const [nodes, replicas] = [servers.slice(0, 3), servers.slice(3)];
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
  const words = [...addresses, "--cluster-replicas", String(replicasEach), "--cluster-yes"];
  execFileSync("redis-cli", ["--cluster", "create", ...words], { stdio: "pipe" });
  await Promise.all(
    servers.map(({ client }) =>
      eventually(async () => {
        const isFormed = (await client.cluster("INFO")).includes("cluster_state:ok");
        if (!isFormed || (await client.info("replication")).includes("master_link_status:down"))
          throw new Error("the cluster has not formed");
      }, 20_000),
    ),
  );
  const successors = new Map<number, TestRedis>();
  for (const replica of replicas) {
    const port = /master_port:(\d+)/.exec(await replica.client.info("replication"))?.[1];
    successors.set(Number(port), replica);
  }
  return {
    url: addresses.map((address) => `redis://${address}`).join(","),
    nodes,
    servers,
    promotion: ({ port }) => eventually(() => expectMaster(successors.get(port)), 20_000),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

/** With a bus port of its own: ten thousand above a free port may be none. */
async function startClusterNode(): Promise<TestRedis> {
  const settings = ["--cluster-enabled", "yes", "--cluster-node-timeout", "1000", ...inStepAtOnce];
  return startRedis(...settings, "--cluster-port", String(await freePort()));
}

async function expectMaster(server: TestRedis | undefined): Promise<void> {
  if (!(await server?.client.info("replication"))?.includes("role:master")) throw new Error("not promoted");
}
