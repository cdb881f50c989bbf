import express from "express";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { redis } from "../redis.ts";

export const app = express();
const limiter = new RateLimiterRedis({ storeClient: redis, keyPrefix: "login", points: 5, duration: 3600 });
app.use("/login", (request, response, next) => {
  limiter.consume(request.ip ?? "").then(
    () => next(),
    () => response.status(429).send("Too Many Requests"),
  );
});

app.get("/", (_, response) => void response.send("welcome"));
app.post("/login", (_, response) => void response.send("signed in"));
