import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { read } from "../../_server/read.ts";
import { statusOf } from "./status-of.ts";

/** A Redis that hangs keeps commands waiting for longer than the people who want to know that it does. */
const patienceMs = 1_500;
const late = { error: { code: "redis-unavailable", message: "Redis does not answer.", fields: {} } };

const answer = read("read", z.object({}), ({ console, who }) => statusOf(console, who));

export async function GET(...asked: Parameters<typeof answer>): Promise<Response> {
  const tooLate = pause(patienceMs, undefined, { ref: false }).then(() =>
    Response.json(late, { status: 503, headers: { "cache-control": "no-store" } }),
  );
  return Promise.race([answer(...asked), tooLate]);
}
