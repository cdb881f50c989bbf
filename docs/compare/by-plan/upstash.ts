import { Ratelimit } from "@upstash/ratelimit";
import express from "express";
import { upstashRedis as redis } from "../redis.ts";
import { sessionOf } from "../request.ts";

export const app = express();

const limiterFor = (prefix: string, tokens: number) =>
  new Ratelimit({ redis, prefix, limiter: Ratelimit.slidingWindow(tokens, "3600 s") });
const limiters: Record<string, Ratelimit> = { free: limiterFor("free", 5), pro: limiterFor("pro", 8) };
app.use(async (request, response, next) => {
  const { id, plan } = sessionOf(request);
  const answer = await limiters[plan]?.limit(id);
  if (answer?.success) next();
  else response.status(429).send("Too Many Requests");
});

app.get("/", (_, response) => void response.send("welcome"));
