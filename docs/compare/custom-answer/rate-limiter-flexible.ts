import express from "express";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { redis } from "../redis.ts";

export const app = express();
const limiter = new RateLimiterRedis({ storeClient: redis, keyPrefix: "all", points: 5, duration: 3600 });
app.use((request, response, next) => {
  limiter.consume(request.ip ?? "").then(
    () => next(),
    () => response.status(429).send("slow down"),
  );
});

app.get("/", (_, response) => void response.send("welcome"));
