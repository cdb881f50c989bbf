import express from "express";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { redis } from "../redis.ts";
import { userOf } from "../request.ts";

export const app = express();

const limiter = new RateLimiterRedis({ storeClient: redis, keyPrefix: "work", points: 10, duration: 3600 });
app.use("/work", (request, response, next) => {
  limiter.consume(userOf(request)).then(
    () => next(),
    () => response.sendStatus(429),
  );
});
app.get("/left", async (request, response) => {
  const found = await limiter.get(userOf(request));
  response.json(found?.remainingPoints ?? 10);
});

app.post("/work", (_, response) => void response.send("done"));
