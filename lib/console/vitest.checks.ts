import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "ioredis";
import { expect } from "vitest";
import { queuedMs, serverPid } from "../redis/testing-stopwatch.ts";
import { checkRequest as check } from "./check/forward-auth.ts";

const everyMs = 5;

/** Requests of a proxy for the check, one after the other, beside the work that is measured. */
export class Checks {
  readonly #token: string;
  readonly #redis: Redis;

  constructor(token: string, redis: Redis) {
    this.#token = token;
    this.#redis = redis;
  }

  /** @returns the latencies in ms, sorted: each from the time that the request was due, without waiting for a free core */
  async during(work: () => Promise<unknown>): Promise<number[]> {
    const server = await serverPid(this.#redis);
    const now = () => performance.now() - queuedMs(process.pid) - queuedMs(server);
    const latencies: number[] = [];
    let isOver = false;
    const checking = (async () => {
      do {
        const dueAt = now() + everyMs;
        await pause(everyMs);
        await this.#check();
        latencies.push(now() - dueAt);
      } while (!isOver);
    })();
    try {
      await work();
    } finally {
      isOver = true;
      await checking;
    }
    return latencies.sort((a, b) => a - b);
  }

  async #check(): Promise<void> {
    const headers = {
      "x-sluice-token": this.#token,
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-uri": "/",
    };
    const answer = await check(new Request("http://console.example.org/api/check?app=shop", { headers }));
    expect(answer.status).toBe(204);
  }
}
