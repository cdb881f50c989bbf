import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type Connection, connectControl } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { startRedis, type TestRedis } from "../redis/testing.ts";
import { verifyChain } from "./chain.ts";
import type { Actor, AuditRecord, Signed } from "./record.ts";
import { sealFrom } from "./seal.ts";

export const seal = sealFrom("a secret that Redis never sees");

/** A server of this test file's own, empty before each test, and its audit log. */
export function testLog() {
  let server: TestRedis;
  let redis: Connection;
  const connections: Connection[] = [];
  const connect = () => {
    const connection = connectControl(server.url, "patiently");
    connections.push(connection);
    return connection;
  };
  beforeAll(async () => {
    server = await startRedis();
    redis = connect();
  });
  beforeEach(async () => void (await server.client.flushall()));
  afterAll(async () => {
    for (const connection of connections) connection.disconnect();
    await server.stop();
  });
  return {
    /** A foreign writer's hand. */
    get client() {
      return server.client;
    },
    connect,
    signed: (given: Partial<Actor> = {}, on = redis): Signed => ({
      actor: { name: "ada@example.org", via: "console", ...given },
      redis: on,
      seal,
    }),
    async records(): Promise<AuditRecord[]> {
      const rows = await server.client.xrange(keys.audit(), "-", "+");
      return rows.map(([, fields]) => JSON.parse(fields[1] ?? ""));
    },
    async expectSoundChain(records: number) {
      expect(await verifyChain(redis, seal)).toEqual({ records, problems: [], problemCount: 0 });
    },
  };
}
