import { afterAll, beforeAll, beforeEach } from "vitest";
import { version } from "../../enforce/guard/version.ts";
import { policyFormat } from "../../enforce/policy/versions.ts";
import { heartbeat, type NodeReport } from "../../enforce/stats/membership.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import type { Check } from "./finding.ts";

/** A Redis for the tests of one file, empty at the start of each. */
export class TestPatient {
  #running: { readonly server: TestRedis; readonly redis: Connection } | undefined;

  constructor() {
    beforeAll(async () => {
      const server = await startRedis();
      this.#running = { server, redis: connectControl(server.url, "patiently") };
    });
    afterAll(async () => {
      this.#running?.redis.disconnect();
      await this.#running?.server.stop();
    });
    beforeEach(() => this.client.flushall());
  }

  get client(): TestRedis["client"] {
    return this.#now.server.client;
  }

  get url(): string {
    return this.#now.server.url;
  }

  examine(check: Check): ReturnType<Check["run"]> {
    const { redis, server } = this.#now;
    const { url } = server;
    return check.run({ redis, url, countersUrl: url, protectedRanges: [], seal: undefined });
  }

  /** A node of this version reports itself. */
  reportNode(id: string, says: Partial<NodeReport> = {}): Promise<void> {
    return heartbeat(this.client, {
      ...{ id, app: "shop", version, host: "there", startedAt: 0, change: 0, replicaAgeMs: 10 },
      ...{ safelisted: 0, blocklisted: 0, unknownClients: 0, policyFormat },
      ...says,
    });
  }

  get #now() {
    if (!this.#running) throw new Error("Redis runs during the tests alone");
    return this.#running;
  }
}
