import { Ratelimit } from "@upstash/ratelimit";
import express from "express";
import { upstashRedis as redis } from "../redis.ts";
import { costOf } from "../request.ts";

export const app = express();

const ratelimit = new Ratelimit({ redis, prefix: "points", limiter: Ratelimit.slidingWindow(10, "3600 s") });
app.use(async (request, response, next) => {
  const { success } = await ratelimit.limit(request.ip ?? "", { rate: costOf(request) });
  if (success) next();
  else response.status(429).send("Too Many Requests");
});

app.get("/", (_, response) => void response.send("welcome"));
