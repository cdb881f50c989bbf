import { Ratelimit } from "@upstash/ratelimit";
import express from "express";
import { upstashRedis as redis } from "../redis.ts";
import { userOf } from "../request.ts";

export const app = express();

const ratelimit = new Ratelimit({ redis, prefix: "work", limiter: Ratelimit.slidingWindow(10, "3600 s") });
app.use("/work", async (request, response, next) => {
  const { success } = await ratelimit.limit(userOf(request));
  if (success) next();
  else response.sendStatus(429);
});
app.get("/left", async (request, response) => {
  const { remaining } = await ratelimit.getRemaining(userOf(request));
  response.json(remaining);
});

app.post("/work", (_, response) => void response.send("done"));
