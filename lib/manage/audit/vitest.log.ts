import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { at } from "../../at.ts";
import { type Connection, connectControl } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";
import { verifyChain } from "./chain.ts";
import { isBulk, type RecordPart, walkParts } from "./parts.ts";
import type { Actor, AuditRecord, Signed } from "./record.ts";
import { sealFrom } from "./seal.ts";
import { isDamaged, readRow } from "./stored.ts";

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
    /** The context of a change, also of users. */
    signed: (given: Partial<Actor> = {}, on = redis): Signed & { hasSso: boolean } => ({
      actor: { name: "ada@example.org", via: "console", ...given },
      ...{ redis: on, seal, hasSso: true },
    }),
    async records(): Promise<AuditRecord[]> {
      const rows = await server.client.xrange(keys.audit(), "-", "+");
      return rows.map(([, fields]) => JSON.parse(at(fields, 1)));
    },
    /** The parts of a record of very many entries. */
    async parts(n: number): Promise<RecordPart[]> {
      const rows = await server.client.xrange(keys.audit(), `${n}-0`, `${n}-0`);
      const found = rows.map(([id, fields]) => readRow({ id, fields }))[0];
      if (!found || isDamaged(found) || !isBulk(found)) return [];
      const parts: RecordPart[] = [];
      for await (const part of walkParts(redis, found, { seal })) parts.push(part);
      return parts;
    },
    async expectSoundChain(records: number) {
      expect(await verifyChain(redis, seal)).toEqual({ records, problems: [], problemCount: 0 });
    },
  };
}
