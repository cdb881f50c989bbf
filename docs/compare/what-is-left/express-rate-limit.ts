import express from "express";
import { rateLimit } from "express-rate-limit";
import { RedisStore } from "rate-limit-redis";
import { sendCommand } from "../redis.ts";
import { userOf } from "../request.ts";

export const app = express();

const limiter = rateLimit({
  windowMs: 3_600_000,
  limit: 10,
  keyGenerator: userOf,
  store: new RedisStore({ sendCommand }),
});
app.use("/work", limiter);
app.get("/left", async (request, response) => {
  const { totalHits = 0 } = (await limiter.getKey(userOf(request))) ?? {};
  response.json(Math.max(0, 10 - totalHits));
});

app.post("/work", (_, response) => void response.send("done"));
