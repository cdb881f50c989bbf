import express from "express";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { redis } from "../redis.ts";

export const app = express();
const limiter = new RateLimiterRedis({ storeClient: redis, keyPrefix: "login", points: 5, duration: 3600 });
app.use("/login", async (request, response, next) => {
  const key = request.ip ?? "";
  const found = await limiter.get(key);
  if (found && found.consumedPoints >= 5) return void response.sendStatus(429);
  response.on("finish", () => {
    if (response.statusCode === 401) limiter.consume(key).catch(() => {});
  });
  next();
});

app.post(
  "/login",
  (request, response) => void response.sendStatus(request.get("x-password") === "right" ? 200 : 401),
);
