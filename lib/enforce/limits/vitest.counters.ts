import { afterAll, beforeAll, beforeEach } from "vitest";
import { connectControl } from "../../redis/connect.ts";
import { startRedis, type TestRedis } from "../../redis/testing.ts";

/** A server of this test file's own, empty before each test, and a connection that counts on it. */
export function testCounters() {
  let server: TestRedis;
  let redis: ReturnType<typeof connectControl>;
  beforeAll(async () => {
    server = await startRedis();
    redis = connectControl(server.url, "patiently");
    await redis.ping();
  });
  beforeEach(async () => {
    await server.client.flushall();
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });
  return {
    get redis() {
      return redis;
    },
    get server() {
      return server;
    },
    /** A foreign writer's hand. */
    get client() {
      return server.client;
    },
  };
}
