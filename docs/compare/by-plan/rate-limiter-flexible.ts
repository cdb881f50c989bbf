import express from "express";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { redis } from "../redis.ts";
import { sessionOf } from "../request.ts";

export const app = express();

const limiterFor = (keyPrefix: string, points: number) =>
  new RateLimiterRedis({ storeClient: redis, keyPrefix, points, duration: 3600 });
const limiters: Record<string, RateLimiterRedis> = { free: limiterFor("free", 5), pro: limiterFor("pro", 8) };
app.use((request, response, next) => {
  const { id, plan } = sessionOf(request);
  limiters[plan]?.consume(id).then(
    () => next(),
    () => response.status(429).send("Too Many Requests"),
  );
});

app.get("/", (_, response) => void response.send("welcome"));
