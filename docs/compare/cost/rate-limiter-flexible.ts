import express from "express";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { redis } from "../redis.ts";
import { costOf } from "../request.ts";

export const app = express();

const limiter = new RateLimiterRedis({ storeClient: redis, keyPrefix: "points", points: 10, duration: 3600 });
app.use((request, response, next) => {
  limiter.consume(request.ip ?? "", costOf(request)).then(
    () => next(),
    () => response.status(429).send("Too Many Requests"),
  );
});

app.get("/", (_, response) => void response.send("welcome"));
