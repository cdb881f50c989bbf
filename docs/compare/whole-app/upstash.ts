import { Ratelimit } from "@upstash/ratelimit";
import express from "express";
import { upstashRedis as redis } from "../redis.ts";

export const app = express();
const ratelimit = new Ratelimit({ redis, limiter: Ratelimit.slidingWindow(300, "300 s") });
app.use(async (request, response, next) => {
  const { success } = await ratelimit.limit(request.ip ?? "");
  if (success) next();
  else response.status(429).send("Too Many Requests");
});

app.get("/", (_, response) => void response.send("welcome"));
