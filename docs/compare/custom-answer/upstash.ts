import { Ratelimit } from "@upstash/ratelimit";
import express from "express";
import { upstashRedis as redis } from "../redis.ts";

export const app = express();
const ratelimit = new Ratelimit({ redis, prefix: "all", limiter: Ratelimit.slidingWindow(5, "3600 s") });
app.use(async (request, response, next) => {
  const { success } = await ratelimit.limit(request.ip ?? "");
  if (success) next();
  else response.status(429).send("slow down");
});

app.get("/", (_, response) => void response.send("welcome"));
