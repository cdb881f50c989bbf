import { Ratelimit } from "@upstash/ratelimit";
import express from "express";
import { upstashRedis as redis } from "../redis.ts";

export const app = express();
const ratelimit = new Ratelimit({ redis, prefix: "login", limiter: Ratelimit.slidingWindow(5, "3600 s") });
app.use("/login", async (request, response, next) => {
  const key = request.ip ?? "";
  const { remaining } = await ratelimit.getRemaining(key);
  if (remaining <= 0) return void response.sendStatus(429);
  response.on("finish", () => {
    if (response.statusCode === 401) void ratelimit.limit(key);
  });
  next();
});

app.post(
  "/login",
  (request, response) => void response.sendStatus(request.get("x-password") === "right" ? 200 : 401),
);
